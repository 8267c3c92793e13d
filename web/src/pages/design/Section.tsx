import type { ReactNode } from 'react';

import styles from './DesignPage.module.css';

/** One group of samples. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  );
}

/** Samples beside each other. */
export function SampleRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
