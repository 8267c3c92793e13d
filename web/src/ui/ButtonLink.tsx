import { createLink } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';

import type { ButtonLook, ButtonSize } from './Button';
import styles from './Button.module.css';
import { classNames } from './classNames';
import { Icon } from './Icon';

interface AnchorProps extends ComponentPropsWithRef<'a'> {
  look?: ButtonLook;
  size?: ButtonSize;
  icon?: LucideIcon | undefined;
  wide?: boolean;
}

/** A link to a file or another site that looks like a button. */
export function ButtonAnchor({
  look = 'secondary',
  size = 'medium',
  icon,
  wide = false,
  className,
  children,
  ...rest
}: AnchorProps) {
  return (
    <a {...rest} className={classNames(styles.button, styles[look], styles[size], wide && styles.wide, className)}>
      {icon === undefined ? null : <Icon icon={icon} />}
      {children}
    </a>
  );
}

/** A link to another page of Forge that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor);
