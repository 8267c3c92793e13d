import type { ReactNode } from 'react';

import styles from './FactList.module.css';

/** Names with their values, one line each. */
export function FactList({ children }: { children: ReactNode }) {
  return <dl className={styles.list}>{children}</dl>;
}

/** One fact of such a list. */
export function ListedFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
