import { useState } from 'react';

import type { DiffFile } from '../../../api/types';
import { Tag } from '../../../ui/Badge';
import { Diffstat } from '../../../ui/Diffstat';
import { humanize } from '../../../ui/words';
import styles from './DiffTab.module.css';
import { type PatchLine, patchLines } from './patch';

const LINES: Readonly<Record<PatchLine['kind'], string | undefined>> = {
  hunk: styles.hunk,
  added: styles.added,
  removed: styles.removed,
  same: undefined,
  note: styles.remark,
};

/** The changes of one file. */
export function DiffFileView({ file, isFolded }: { file: DiffFile; isFolded: boolean }) {
  const [isOpen, setOpen] = useState(!isFolded);
  return (
    <details className={styles.file} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.head}>
        <code>{file.old_path === null ? file.path : `${file.old_path} → ${file.path}`}</code>
        {file.change === 'modified' ? null : <Tag>{humanize(file.change)}</Tag>}
        {file.additions === null || file.deletions === null ? null : (
          <Diffstat added={file.additions} removed={file.deletions} />
        )}
      </summary>
      {isOpen ? <FileBody file={file} /> : null}
    </details>
  );
}

function FileBody({ file }: { file: DiffFile }) {
  if (file.patch === null) {
    return <p className={styles.empty}>{file.binary ? 'Binary file, not shown.' : 'Too large to show.'}</p>;
  }
  return (
    <section className={styles.patch} aria-label={`Changes of ${file.path}`}>
      <table>
        <tbody>
          {patchLines(file.patch).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a patch never change their order
            <tr key={index} className={LINES[line.kind]}>
              <td className={styles.number}>{line.oldNumber}</td>
              <td className={styles.number}>{line.newNumber}</td>
              <td className={styles.text}>{line.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
