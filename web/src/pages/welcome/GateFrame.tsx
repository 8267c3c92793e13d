import type { ReactNode } from 'react';

import { Mark } from '../../ui/Mark';
import styles from './GateFrame.module.css';

/** The frame of the pages before sign-in. */
export function GateFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.frame}>
      <div className={styles.box}>
        <div className={styles.brand}>
          <Mark size={28} />
          Forge
        </div>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </div>
    </main>
  );
}
