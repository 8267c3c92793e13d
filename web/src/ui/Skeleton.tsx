import styles from './Skeleton.module.css';

const WIDTHS = ['72%', '54%', '81%', '46%', '66%', '58%'];

/** Grey bars where rows will be. */
export function Skeleton({ what, rows = 6 }: { what: string; rows?: number }) {
  return (
    <div className={styles.rows} role="status" aria-label={`Loading ${what}`}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
        <div key={index} className={styles.bar} style={{ width: WIDTHS[index % WIDTHS.length] }} />
      ))}
    </div>
  );
}
