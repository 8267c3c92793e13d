import type { LucideIcon } from 'lucide-react';

import { MEANINGS, type Meaning } from '../task/meanings';
import { classNames } from './classNames';
import { Icon } from './Icon';
import styles from './MeaningIcon.module.css';
import colours from './meaning.module.css';

interface MeaningIconProps {
  meaning: Meaning;
  /** The reason's own icon instead of the meaning's. */
  icon?: LucideIcon | undefined;
  /** False while no event arrives: a quiet agent's icon stands still. */
  isLive?: boolean;
  size?: number;
}

/** The coloured icon of a meaning; words beside it say the same. */
export function MeaningIcon({ meaning, icon, isLive = true, size = 16 }: MeaningIconProps) {
  const look = MEANINGS[meaning];
  return (
    <Icon
      icon={icon ?? look.icon}
      size={size}
      turning={look.turns && isLive && icon === undefined}
      className={classNames(styles.icon, colours[meaning])}
    />
  );
}
