import type { DiffFile } from '../../../api/types';

/** Lines added and removed in all files together. */
export function diffTotals(files: readonly Pick<DiffFile, 'additions' | 'deletions'>[]): {
  added: number;
  removed: number;
} {
  return {
    added: files.reduce((sum, { additions }) => sum + (additions ?? 0), 0),
    removed: files.reduce((sum, { deletions }) => sum + (deletions ?? 0), 0),
  };
}
