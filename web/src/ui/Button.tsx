import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';

import styles from './Button.module.css';
import { classNames } from './classNames';
import { Icon } from './Icon';

export type ButtonLook = 'primary' | 'secondary' | 'ghost' | 'danger' | 'confirm';
export type ButtonSize = 'small' | 'medium' | 'large';

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  look?: ButtonLook;
  size?: ButtonSize;
  icon?: LucideIcon | undefined;
  /** The key that does the same, shown behind the label. */
  hotkey?: string | undefined;
  /** What it started has not ended; a second press does nothing. */
  busy?: boolean;
  /** Takes the whole width of its row. */
  wide?: boolean;
}

/** A button with a label. One `primary` per screen. */
export function Button({
  look = 'secondary',
  size = 'medium',
  icon,
  hotkey,
  busy = false,
  wide = false,
  className,
  disabled,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(styles.button, styles[look], styles[size], wide && styles.wide, className)}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <Icon icon={LoaderCircle} turning /> : icon === undefined ? null : <Icon icon={icon} />}
      {children}
      {hotkey === undefined ? null : (
        <span className={styles.key} aria-hidden="true">
          {hotkey}
        </span>
      )}
    </button>
  );
}
