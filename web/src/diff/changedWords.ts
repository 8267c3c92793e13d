import { commonItems } from './commonItems';

/** A part of a text: from a place up to, but without, another. */
export type TextRange = readonly [number, number];

/** Longer lines are marked as a whole. */
const MAX_LENGTH = 1_000;
/** Lines with less in common are two different lines; marks inside them would say nothing. */
const MIN_COMMON = 0.3;

/** The words that differ between two versions of a line; null if the lines have too little in common. */
export function changedWords(before: string, after: string): { before: TextRange[]; after: TextRange[] } | null {
  if (before.length > MAX_LENGTH || after.length > MAX_LENGTH) {
    return null;
  }
  const [oldWords, newWords] = [wordsOf(before), wordsOf(after)];
  const pairs = commonItems(oldWords, newWords);
  const length = pairs.reduce((sum, [index]) => sum + (oldWords[index]?.trim().length ?? 0), 0);
  if (length < MIN_COMMON * Math.max(before.trim().length, after.trim().length)) {
    return null;
  }
  return {
    before: rangesWithout(oldWords, new Set(pairs.map(([index]) => index))),
    after: rangesWithout(newWords, new Set(pairs.map(([, index]) => index))),
  };
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function rangesWithout(words: readonly string[], common: ReadonlySet<number>): TextRange[] {
  const ranges: [number, number][] = [];
  let at = 0;
  words.forEach((word, index) => {
    const last = ranges.at(-1);
    if (!common.has(index)) {
      if (last?.[1] === at) {
        last[1] = at + word.length;
      } else {
        ranges.push([at, at + word.length]);
      }
    }
    at += word.length;
  });
  return ranges;
}
