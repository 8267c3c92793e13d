import type { DiffRow, DiffSide, ParsedFile, ShownLine } from './diffRows';

/** One or more lines of one version of a file. */
export interface CommentedLines {
  path: string;
  side: DiffSide;
  from: number;
  to: number;
}

/** A remark about some lines that was not sent yet. */
export interface LineComment extends CommentedLines {
  id: string;
  text: string;
  /** The lines as they were, so that the remark is understood after they changed. */
  quote: readonly string[];
}

const LONGEST_QUOTE = 12;

/** The rows with each comment, and the one that is being written, under the last of its lines. */
export function withComments(
  rows: readonly DiffRow[],
  files: readonly ParsedFile[],
  comments: readonly LineComment[],
  draft: CommentedLines | null,
): readonly DiffRow[] {
  if (comments.length === 0 && draft === null) {
    return rows;
  }
  return rows.flatMap((row): DiffRow[] => {
    const path = files[row.fileIndex]?.file.path;
    const ends = (lines: CommentedLines) => lines.path === path && numberOn(row, lines.side) === lines.to;
    const { fileIndex } = row;
    return [
      row,
      ...comments.filter(ends).map((comment): DiffRow => ({ kind: 'comment', fileIndex, comment })),
      ...(draft !== null && ends(draft) ? [{ kind: 'draft', fileIndex, lines: draft } as const] : []),
    ];
  });
}

/** The first line from a row on, on the new side where it has one. */
export function lineFrom(rows: readonly DiffRow[], files: readonly ParsedFile[], start: number): CommentedLines | null {
  for (const row of rows.slice(start)) {
    const path = files[row.fileIndex]?.file.path;
    for (const side of ['new', 'old'] as const) {
      const number = numberOn(row, side);
      if (path !== undefined && number !== null) {
        return { path, side, from: number, to: number };
      }
    }
  }
  return null;
}

/** The text of the lines, as far as the diff shows them. */
export function quoteOf(rows: readonly DiffRow[], files: readonly ParsedFile[], lines: CommentedLines): string[] {
  return rows
    .filter((row) => {
      const number = numberOn(row, lines.side);
      return files[row.fileIndex]?.file.path === lines.path && number !== null && isWithin(lines, number);
    })
    .flatMap((row) => lineOn(row, lines.side)?.text ?? [])
    .slice(0, LONGEST_QUOTE);
}

export function isWithin({ from, to }: CommentedLines, number: number): boolean {
  return from <= number && number <= to;
}

/** `line 4` or `lines 4–9`; those that were removed are named so. */
export function lineWords({ side, from, to }: CommentedLines): string {
  const words = from === to ? `line ${from}` : `lines ${from}–${to}`;
  return side === 'old' ? `removed ${words}` : words;
}

/** All comments as the one message that the agent gets. */
export function reviewMessage(comments: readonly LineComment[]): string {
  const parts = comments.map((comment) => {
    // A fence must be longer than any in the text that it holds.
    const ticks = comment.quote.flatMap((line) => line.match(/`{3,}/g) ?? []).map((run) => run.length + 1);
    const fence = '`'.repeat(Math.max(3, ...ticks));
    const quote = comment.quote.length === 0 ? '' : `\n${fence}\n${comment.quote.join('\n')}\n${fence}`;
    return `${comment.path}, ${lineWords(comment)}:${quote}\n${comment.text.trim()}`;
  });
  return `Change the following.\n\n${parts.join('\n\n')}`;
}

function lineOn(row: DiffRow, side: DiffSide): ShownLine | null {
  if (row.kind === 'line') {
    return row.line;
  }
  return row.kind === 'pair' ? (side === 'old' ? row.old : row.new) : null;
}

function numberOn(row: DiffRow, side: DiffSide): number | null {
  const line = lineOn(row, side);
  return (side === 'old' ? line?.oldNumber : line?.newNumber) ?? null;
}
