import type { DiffFile } from '../api/types';
import styles from './DiffNoteRow.module.css';
import type { FileNote } from './diffRows';

/** Why a file shows no lines. */
export function DiffNoteRow({ file, note }: { file: DiffFile; note: FileNote }) {
  return <p className={styles.note}>{noteWords(file, note)}</p>;
}

function noteWords({ change, old_path }: DiffFile, note: FileNote): string {
  switch (note) {
    case 'binary':
      return 'Binary file. Its content is not shown.';
    case 'too-large':
      return 'The change is too large to show here. Download the patch to read it.';
    case 'only-whitespace':
      return 'Only whitespace changed. It is hidden.';
    case 'no-text':
      return old_path !== null
        ? 'Renamed without other changes.'
        : change === 'added'
          ? 'Empty file.'
          : 'No line changed, only the mode of the file.';
  }
}
