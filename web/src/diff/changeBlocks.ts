import { commonItems } from './commonItems';
import type { DiffHunk, DiffLine } from './patch';

/** Lines that are the same on both sides, or lines removed and those added in their place. */
export type LineBlock =
  | { kind: 'same'; lines: readonly DiffLine[] }
  | { kind: 'change'; removed: readonly DiffLine[]; added: readonly DiffLine[] };

/** Groups the lines of a hunk. */
export function lineBlocks(lines: readonly DiffLine[]): LineBlock[] {
  const blocks: LineBlock[] = [];
  let index = 0;
  const take = (kind: DiffLine['kind']): DiffLine[] => {
    const from = index;
    while (lines[index]?.kind === kind) {
      index += 1;
    }
    return lines.slice(from, index);
  };
  while (index < lines.length) {
    const same = take('same');
    if (same.length > 0) {
      blocks.push({ kind: 'same', lines: same });
    }
    const removed = take('removed');
    const added = take('added');
    if (removed.length + added.length > 0) {
      blocks.push({ kind: 'change', removed, added });
    }
  }
  return blocks;
}

const withoutSpace = ({ text }: DiffLine) => text.replaceAll(/\s+/g, '');

/** A hunk in which lines that differ only in white space count as the same; null if nothing else changed. */
export function ignoreWhitespace(hunk: DiffHunk): DiffHunk | null {
  const lines = lineBlocks(hunk.lines).flatMap((block) =>
    block.kind === 'same' ? block.lines : mergeEqual(block.removed, block.added),
  );
  return lines.some(({ kind }) => kind !== 'same') ? { ...hunk, lines } : null;
}

function mergeEqual(removed: readonly DiffLine[], added: readonly DiffLine[]): DiffLine[] {
  const merged: DiffLine[] = [];
  let [oldIndex, newIndex] = [0, 0];
  for (const [oldAt, newAt] of commonItems(removed.map(withoutSpace), added.map(withoutSpace))) {
    merged.push(...removed.slice(oldIndex, oldAt), ...added.slice(newIndex, newAt));
    const [before, after] = [removed[oldAt], added[newAt]];
    if (before !== undefined && after !== undefined) {
      merged.push({ ...after, kind: 'same', oldNumber: before.oldNumber });
    }
    [oldIndex, newIndex] = [oldAt + 1, newAt + 1];
  }
  merged.push(...removed.slice(oldIndex), ...added.slice(newIndex));
  // A change of blank lines only is no change without white space.
  return merged.some(isTextChange) ? merged : merged.filter(({ kind }) => kind === 'same');
}

function isTextChange(line: DiffLine): boolean {
  return line.kind !== 'same' && withoutSpace(line) !== '';
}
