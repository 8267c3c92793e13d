import type { ComponentPropsWithRef } from 'react';

import { classNames } from './classNames';
import styles from './Panel.module.css';

/** A box around a form or a group of facts. */
export function Panel({ className, ...rest }: ComponentPropsWithRef<'div'>) {
  return <div {...rest} className={classNames(styles.panel, className)} />;
}
