import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Meaning } from '../task/meanings';
import styles from './Chip.module.css';
import { classNames } from './classNames';
import { Icon } from './Icon';
import { MeaningIcon } from './MeaningIcon';
import colours from './meaning.module.css';

interface ChipProps {
  label: ReactNode;
  meaning?: Meaning | undefined;
  count?: number | string | undefined;
  isOn: boolean;
  /** Tinted also while it is off: a person must act. */
  isUrgent?: boolean;
  isRemovable?: boolean;
  onClick: () => void;
}

/** A filter that is switched on and off. */
export function Chip({ label, meaning, count, isOn, isUrgent = false, isRemovable = false, onClick }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={classNames(
        styles.chip,
        meaning !== undefined && (isOn || isUrgent) && colours[meaning],
        isOn && styles.on,
        isUrgent && styles.urgent,
      )}
    >
      {meaning === undefined ? null : <MeaningIcon meaning={meaning} isLive={false} size={14} />}
      <span>{label}</span>
      {count === undefined ? null : <span className={styles.count}>{count}</span>}
      {isRemovable ? <Icon icon={X} size={13} /> : null}
    </button>
  );
}
