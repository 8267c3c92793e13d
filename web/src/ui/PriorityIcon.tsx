import { classNames } from './classNames';
import styles from './PriorityIcon.module.css';

const BARS = [1, 2, 3] as const;

/** Priority as one to three bars: below zero, zero, above. */
export function PriorityIcon({ priority }: { priority: number }) {
  const level = priority < 0 ? 1 : priority === 0 ? 2 : 3;
  return (
    <span className={styles.bars} role="img" aria-label={`Priority ${priority}`} title={`Priority ${priority}`}>
      {BARS.map((bar) => (
        <span key={bar} className={classNames(styles.bar, bar <= level && styles.on)} />
      ))}
    </span>
  );
}
