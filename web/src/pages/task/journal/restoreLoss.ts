import type { DiffFile } from '../../../api/types';
import { plural } from '../../../ui/words';

/** What restoring an entry does to the present files. */
export function restoreLoss(files: readonly Pick<DiffFile, 'path'>[] | undefined): string {
  if (files === undefined) {
    return 'The files of the workspace become those of the entry.';
  }
  const [first, second, third] = files;
  if (first === undefined) {
    return 'The present files are the same, so nothing changes.';
  }
  const names = [first, second, third].flatMap((file) => (file === undefined ? [] : [file.path]));
  const rest = files.length > names.length ? ` and ${files.length - names.length} more` : '';
  return `${plural(files.length, 'file')} of the workspace ${files.length === 1 ? 'changes' : 'change'}: ${names.join(', ')}${rest}.`;
}
