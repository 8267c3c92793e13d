import type { ReactNode } from 'react';

import styles from './EmptyState.module.css';

/** One sentence where content will be, with what to do next. */
export function EmptyState({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
