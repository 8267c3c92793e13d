import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';

import type { ButtonLook, ButtonSize } from './Button';
import styles from './Button.module.css';
import { classNames } from './classNames';
import { Icon } from './Icon';
import { Tooltip } from './Tooltip';

export interface IconButtonProps extends ComponentPropsWithRef<'button'> {
  icon: LucideIcon;
  /** What it does: the name for screen readers and the tooltip. */
  label: string;
  hotkey?: string | undefined;
  look?: ButtonLook;
  size?: ButtonSize;
}

/** A square button that shows only an icon. */
export function IconButton({
  icon,
  label,
  hotkey,
  look = 'ghost',
  size = 'medium',
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} hotkey={hotkey}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={classNames(styles.button, styles.icon, styles[look], styles[size], className)}
      >
        <Icon icon={icon} />
      </button>
    </Tooltip>
  );
}
