import { useMemo, useSyncExternalStore } from 'react';

import type { DiffFile } from '../api/types';
import { classNames } from '../ui/classNames';
import { CodeText } from './CodeText';
import { commonItems } from './commonItems';
import { markWords, type ShownLine } from './diffRows';
import styles from './EditLines.module.css';
import { coloursOf, coloursVersion, requestColours, subscribeToColours } from './highlight/syntaxColours';
import type { DiffLine } from './patch';

interface EditLinesProps {
  path: string;
  before: readonly string[];
  after: readonly string[];
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

/** What an edit replaced, without line numbers: the edit does not say where it was. */
export function EditLines({ path, before, after }: EditLinesProps) {
  useSyncExternalStore(subscribeToColours, coloursVersion);
  const { file, lines } = useMemo(() => editOf(path, before, after), [path, before, after]);
  requestColours(file);
  return (
    <div className={styles.lines}>
      {lines.map((line) => (
        <div key={`${line.oldNumber} ${line.newNumber}`} className={classNames(styles.line, styles[line.kind])}>
          <span className={styles.sign}>{SIGNS[line.kind]}</span>
          <span className={styles.code}>
            <CodeText text={line.text} tokens={coloursOf(file, line)} words={line.words} kind={line.kind} />
          </span>
        </div>
      ))}
    </div>
  );
}

function editOf(path: string, before: readonly string[], after: readonly string[]) {
  const lines: ShownLine[] = [];
  let [oldIndex, newIndex] = [0, 0];
  const change = (oldTo: number, newTo: number) => {
    const removed = before
      .slice(oldIndex, oldTo)
      .map((text, index): DiffLine => ({ kind: 'removed', text, oldNumber: oldIndex + index + 1, newNumber: null }));
    const added = after
      .slice(newIndex, newTo)
      .map((text, index): DiffLine => ({ kind: 'added', text, oldNumber: null, newNumber: newIndex + index + 1 }));
    const marked = markWords(removed, added);
    lines.push(...marked.removed, ...marked.added);
  };
  for (const [oldAt, newAt] of commonItems(before, after)) {
    change(oldAt, newAt);
    lines.push({ kind: 'same', text: after[newAt] ?? '', oldNumber: oldAt + 1, newNumber: newAt + 1 });
    [oldIndex, newIndex] = [oldAt + 1, newAt + 1];
  }
  change(before.length, after.length);
  return { lines, file: asFile(path, lines, before.length, after.length) };
}

/** The edit in the form in which files of a diff come, so that it gets the same colours. */
function asFile(path: string, lines: readonly ShownLine[], old: number, next: number): DiffFile {
  const body = lines.map(({ kind, text }) => `${SIGNS[kind]}${text}`).join('\n');
  return {
    path,
    old_path: null,
    change: 'modified',
    additions: next,
    deletions: old,
    binary: false,
    truncated: false,
    patch: `@@ -1,${old} +1,${next} @@\n${body}\n`,
  };
}
