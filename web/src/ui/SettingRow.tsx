import type { ReactNode } from 'react';

import styles from './SettingRow.module.css';

interface SettingRowProps {
  title: string;
  hint?: ReactNode;
  /** The switch or button at the right. */
  children: ReactNode;
}

/** A setting with what it does, and its control at the right. */
export function SettingRow({ title, hint, children }: SettingRowProps) {
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <div className={styles.title}>{title}</div>
        {hint === undefined ? null : <div className={styles.hint}>{hint}</div>}
      </div>
      {children}
    </div>
  );
}
