import type { DiffFile } from '../api/types';
import { ignoreWhitespace, lineBlocks } from './changeBlocks';
import { changedWords, type TextRange } from './changedWords';
import type { CommentedLines, LineComment } from './lineComments';
import { type DiffHunk, type DiffLine, patchHunks } from './patch';

export type DiffMode = 'unified' | 'split';
export type DiffSide = 'old' | 'new';

/** A line as it is shown, with the words that changed in it. */
export interface ShownLine extends DiffLine {
  words?: readonly TextRange[];
}

/** One row of the list of all files. */
export type DiffRow =
  | { kind: 'file'; fileIndex: number; isOpen: boolean }
  | { kind: 'note'; fileIndex: number; note: FileNote }
  | { kind: 'gap'; fileIndex: number; heading: string; hidden: number }
  | { kind: 'line'; fileIndex: number; line: ShownLine; startsChange: boolean }
  | { kind: 'pair'; fileIndex: number; old: ShownLine | null; new: ShownLine | null; startsChange: boolean }
  | { kind: 'comment'; fileIndex: number; comment: LineComment }
  | { kind: 'draft'; fileIndex: number; lines: CommentedLines }
  | { kind: 'end'; fileIndex: number };

/** Why a file has no lines here. */
export type FileNote = 'binary' | 'too-large' | 'no-text' | 'only-whitespace';

/** A file with its hunks read and compared. */
export interface ParsedFile {
  file: DiffFile;
  hunks: readonly DiffHunk[];
  note: FileNote | null;
  /** The length of the longest line. */
  width: number;
}

/** Reads the patch of a file. */
export function parseFile(file: DiffFile, isWhitespaceHidden: boolean): ParsedFile {
  const all = file.patch === null ? [] : patchHunks(file.patch);
  const hunks = isWhitespaceHidden ? all.flatMap((hunk) => ignoreWhitespace(hunk) ?? []) : all;
  let width = 0;
  for (const { lines } of hunks) {
    for (const { text } of lines) {
      width = Math.max(width, text.length);
    }
  }
  return { file, hunks, width, note: hunks.length > 0 ? null : noteOf(file, all.length > 0) };
}

function noteOf(file: DiffFile, hasHunks: boolean): FileNote {
  if (file.binary) {
    return 'binary';
  }
  if (file.patch === null) {
    return 'too-large';
  }
  return hasHunks ? 'only-whitespace' : 'no-text';
}

/** The rows of all files. Those of closed files are left out. */
export function diffRows(files: readonly ParsedFile[], mode: DiffMode, isOpen: (path: string) => boolean): DiffRow[] {
  return files.flatMap((parsed, fileIndex) => {
    const open = isOpen(parsed.file.path);
    const body = open ? fileRows(parsed, fileIndex, mode) : [];
    return [{ kind: 'file', fileIndex, isOpen: open }, ...body, { kind: 'end', fileIndex }] as DiffRow[];
  });
}

function fileRows({ hunks, note }: ParsedFile, fileIndex: number, mode: DiffMode): DiffRow[] {
  if (note !== null) {
    return [{ kind: 'note', fileIndex, note }];
  }
  const rows: DiffRow[] = [];
  let shownUpTo = 1;
  for (const hunk of hunks) {
    const hidden = hunk.newStart - shownUpTo;
    if (hidden > 0) {
      rows.push({ kind: 'gap', fileIndex, heading: hunk.heading, hidden });
    }
    for (const row of mode === 'split' ? splitRows(hunk, fileIndex) : unifiedRows(hunk, fileIndex)) {
      rows.push(row);
    }
    const last = hunk.lines.findLast(({ newNumber }) => newNumber !== null)?.newNumber;
    shownUpTo = (last ?? hunk.newStart - 1) + 1;
  }
  return rows;
}

function unifiedRows(hunk: DiffHunk, fileIndex: number): DiffRow[] {
  return lineBlocks(hunk.lines).flatMap((block): DiffRow[] => {
    if (block.kind === 'same') {
      return block.lines.map((line) => ({ kind: 'line', fileIndex, line, startsChange: false }));
    }
    const { removed, added } = markWords(block.removed, block.added);
    return [...removed, ...added].map((line, index) => ({
      kind: 'line',
      fileIndex,
      line,
      startsChange: index === 0,
    }));
  });
}

function splitRows(hunk: DiffHunk, fileIndex: number): DiffRow[] {
  return lineBlocks(hunk.lines).flatMap((block): DiffRow[] => {
    if (block.kind === 'same') {
      return block.lines.map((line) => ({ kind: 'pair', fileIndex, old: line, new: line, startsChange: false }));
    }
    const { removed, added } = markWords(block.removed, block.added);
    return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => ({
      kind: 'pair',
      fileIndex,
      old: removed[index] ?? null,
      new: added[index] ?? null,
      startsChange: index === 0,
    }));
  });
}

/** Marks the words that differ between each removed line and the added line in its place. */
export function markWords(
  removed: readonly DiffLine[],
  added: readonly DiffLine[],
): { removed: ShownLine[]; added: ShownLine[] } {
  const result = { removed: [...removed] as ShownLine[], added: [...added] as ShownLine[] };
  for (let index = 0; index < Math.min(removed.length, added.length); index += 1) {
    const [before, after] = [removed[index], added[index]];
    const words = before === undefined || after === undefined ? null : changedWords(before.text, after.text);
    if (before !== undefined && after !== undefined && words !== null) {
      result.removed[index] = { ...before, words: words.before };
      result.added[index] = { ...after, words: words.after };
    }
  }
  return result;
}
