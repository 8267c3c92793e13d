import { type ReactNode, useId } from 'react';

import { classNames } from './classNames';
import styles from './FormPage.module.css';

/** A page of forms in one column. */
export function FormPage({ isWide = false, children }: { isWide?: boolean; children: ReactNode }) {
  return (
    <div className={styles.scroll}>
      <div className={classNames(styles.page, isWide && styles.wide)}>{children}</div>
    </div>
  );
}

/** A part of such a page. */
export function FormSection({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        {title}
      </h2>
      {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
      {children}
    </section>
  );
}
