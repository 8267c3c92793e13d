import type { LucideIcon } from 'lucide-react';

import { classNames } from './classNames';
import styles from './Icon.module.css';

interface IconProps {
  icon: LucideIcon;
  /** 16 in rows and buttons, 14 in dense lines. */
  size?: number;
  turning?: boolean;
  className?: string | undefined;
}

/** A decorative icon; the words beside it carry the meaning for screen readers. */
export function Icon({ icon: Shape, size = 16, turning = false, className }: IconProps) {
  return (
    <Shape
      size={size}
      strokeWidth={1.75}
      aria-hidden="true"
      className={classNames(styles.icon, turning && styles.turning, className)}
    />
  );
}
