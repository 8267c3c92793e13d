import type { DiffRow } from './diffRows';

/** A row to jump to: the first row after (or the last before) a place that satisfies a condition. */
export function rowFrom(
  rows: readonly DiffRow[],
  place: number,
  step: 1 | -1,
  isWanted: (row: DiffRow) => boolean,
): number | null {
  for (let index = place + step; index >= 0 && index < rows.length; index += step) {
    const row = rows[index];
    if (row !== undefined && isWanted(row)) {
      return index;
    }
  }
  return null;
}

export function isFileRow(row: DiffRow): boolean {
  return row.kind === 'file';
}

export function startsChange(row: DiffRow): boolean {
  return (row.kind === 'line' || row.kind === 'pair') && row.startsChange;
}

/** The header of the file that a row belongs to. */
export function headerOf(rows: readonly DiffRow[], index: number): number {
  return rows[index]?.kind === 'file' ? index : (rowFrom(rows, index, -1, isFileRow) ?? 0);
}
