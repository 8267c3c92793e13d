import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

import { classNames } from './classNames';
import styles from './TableRow.module.css';

interface RowLook {
  /** Two lines of text. */
  isTall?: boolean | undefined;
  isSelected?: boolean | undefined;
}

function rowClass({ isTall = false, isSelected = false }: RowLook, className: string | undefined): string {
  return classNames(styles.row, isTall && styles.tall, isSelected && styles.selected, className);
}

/** A row of a list that leads nowhere by itself. */
export function TableRow({ isTall, isSelected, className, ...rest }: RowLook & ComponentPropsWithRef<'div'>) {
  return <div {...rest} className={rowClass({ isTall, isSelected }, className)} />;
}

function RowAnchor({ isTall = false, isSelected = false, className, ...rest }: RowLook & ComponentPropsWithRef<'a'>) {
  return <a {...rest} className={rowClass({ isTall, isSelected }, className)} />;
}

/** A row that leads to a page. */
export const TableRowLink = createLink(RowAnchor);
