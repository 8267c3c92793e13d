import styles from './Diffstat.module.css';

/** Lines added and removed. */
export function Diffstat({ added, removed }: { added: number; removed: number }) {
  return (
    <span className={styles.diffstat}>
      <span className={styles.added}>+{added}</span>
      <span className={styles.removed}>-{removed}</span>
    </span>
  );
}
