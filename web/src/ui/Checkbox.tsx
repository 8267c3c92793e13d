import type { ComponentPropsWithRef, ReactNode } from 'react';

import styles from './Checkbox.module.css';

/** Yes or no, with its label. */
export function Checkbox({ label, ...rest }: { label: ReactNode } & Omit<ComponentPropsWithRef<'input'>, 'type'>) {
  return (
    <label className={styles.label}>
      <input {...rest} type="checkbox" className={styles.box} />
      {label}
    </label>
  );
}
