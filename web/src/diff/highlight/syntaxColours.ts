import type { DiffFile } from '../../api/types';
import type { SyntaxToken } from '../codeSpans';
import type { DiffSide } from '../diffRows';
import { patchHunks } from '../patch';
import { requestHighlight } from './highlighter';
import { languageOf } from './languageOf';

/** Files with more lines stay without colours: they are data or generated. */
const MAX_LINES = 12_000;

type LineTokens = Readonly<Record<DiffSide, Map<number, readonly SyntaxToken[]>>>;

// A file object stays the same for as long as its patch does, so colours are worked out once for each version.
const colours = new WeakMap<DiffFile, LineTokens>();
const listeners = new Set<() => void>();
let version = 0;
let isAnnounced = false;

function announce(): void {
  version += 1;
  if (!isAnnounced) {
    isAnnounced = true;
    requestAnimationFrame(() => {
      isAnnounced = false;
      for (const notify of listeners) {
        notify();
      }
    });
  }
}

/** Asks once for the colours of a file's lines. */
export function requestColours(file: DiffFile): void {
  const language = languageOf(file.path);
  if (colours.has(file) || language === null || file.patch === null) {
    return;
  }
  const tokens: LineTokens = { old: new Map(), new: new Map() };
  colours.set(file, tokens);
  if ((file.additions ?? 0) + (file.deletions ?? 0) > MAX_LINES) {
    return;
  }
  for (const { lines } of patchHunks(file.patch)) {
    for (const side of ['old', 'new'] as const) {
      const numbered = lines.filter((line) => numberOn(line, side) !== null);
      // Lines that are the same on both sides get their colours from the new side.
      if (side === 'new' || numbered.some(({ kind }) => kind === 'removed')) {
        requestHighlight(
          language,
          numbered.map(({ text }) => text),
          (from, parts) => {
            parts.forEach((part, index) => {
              const line = numbered[from + index];
              const number = line === undefined ? null : numberOn(line, side);
              if (number !== null) {
                tokens[side].set(number, part);
              }
            });
            announce();
          },
        );
      }
    }
  }
}

function numberOn(line: { oldNumber: number | null; newNumber: number | null }, side: DiffSide): number | null {
  return side === 'old' ? line.oldNumber : line.newNumber;
}

/** The coloured pieces of a line, as far as they are known. */
export function coloursOf(
  file: DiffFile,
  line: { oldNumber: number | null; newNumber: number | null },
): readonly SyntaxToken[] | undefined {
  const tokens = colours.get(file);
  if (tokens === undefined) {
    return undefined;
  }
  return line.newNumber === null ? tokens.old.get(line.oldNumber ?? 0) : tokens.new.get(line.newNumber);
}

export function subscribeToColours(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Grows whenever colours arrive. */
export function coloursVersion(): number {
  return version;
}
