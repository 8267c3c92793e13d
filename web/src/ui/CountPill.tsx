import styles from './CountPill.module.css';

/** How many things need a person. */
export function CountPill({ count }: { count: number }) {
  return (
    <span className={styles.pill}>
      {count}
      <span className="visually-hidden"> need you</span>
    </span>
  );
}
