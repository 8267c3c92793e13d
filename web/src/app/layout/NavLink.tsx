import { createLink } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { CountPill } from '../../ui/CountPill';
import { classNames } from '../../ui/classNames';
import { Icon } from '../../ui/Icon';
import { Tooltip } from '../../ui/Tooltip';
import styles from './NavLink.module.css';

interface NavAnchorProps extends ComponentPropsWithRef<'a'> {
  icon: LucideIcon;
  label: string;
  /** A number behind the label. */
  fact?: ReactNode;
  /** How many things behind this entry need the user. */
  needsYou?: number | undefined;
  isIndented?: boolean;
  /** Stands above the entries of the open project, which show the present page themselves. */
  isHeading?: boolean;
  /** Also present on pages that the address alone does not tell. */
  isCurrent?: boolean;
  isRail?: boolean;
}

function NavAnchor({
  icon,
  label,
  fact,
  needsYou = 0,
  isIndented = false,
  isHeading = false,
  isCurrent = false,
  isRail = false,
  className: _ofRouter,
  ...rest
}: NavAnchorProps) {
  const current = isHeading ? { 'aria-current': undefined } : isCurrent ? { 'aria-current': 'page' as const } : {};
  if (isRail) {
    return (
      <Tooltip text={label} side="right">
        <a {...rest} {...current} className={classNames(styles.link, styles.rail)}>
          <Icon icon={icon} />
          <span className="visually-hidden">{label}</span>
          {needsYou > 0 ? <span className={styles.dot} /> : null}
        </a>
      </Tooltip>
    );
  }
  return (
    <a {...rest} {...current} className={classNames(styles.link, isIndented && styles.indented)}>
      <Icon icon={icon} />
      <span className={styles.label}>{label}</span>
      {needsYou > 0 ? <CountPill count={needsYou} /> : null}
      {fact === undefined || fact === null ? null : <span className={styles.fact}>{fact}</span>}
    </a>
  );
}

/** One entry of the navigation; the router marks the present page. */
export const NavLink = createLink(NavAnchor);
