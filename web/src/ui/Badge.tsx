import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

import { MEANINGS, type Meaning } from '../task/meanings';
import styles from './Badge.module.css';
import { classNames } from './classNames';
import { Icon } from './Icon';
import colours from './meaning.module.css';

interface BadgeProps {
  meaning: Meaning;
  icon?: LucideIcon | undefined;
  /** Left out, the meaning's own word. */
  children?: ReactNode;
}

/** A meaning as icon and word on its tint. */
export function Badge({ meaning, icon, children }: BadgeProps) {
  return (
    <span className={classNames(styles.badge, colours[meaning])}>
      <Icon icon={icon ?? MEANINGS[meaning].icon} size={13} />
      {children ?? MEANINGS[meaning].label}
    </span>
  );
}

/** A word without a meaning, such as a label. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className={styles.tag}>{children}</span>;
}
