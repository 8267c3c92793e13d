import type { TextRange } from './changedWords';

/** What a piece of code is, as far as it has a colour. */
export const SYNTAX_ROLES = ['keyword', 'string', 'type', 'number', 'function', 'comment'] as const;
export type SyntaxRole = (typeof SYNTAX_ROLES)[number];

/** A coloured piece of a line. */
export type SyntaxToken = readonly [from: number, to: number, role: SyntaxRole];

export interface CodeSpan {
  text: string;
  role: SyntaxRole | null;
  isChanged: boolean;
}

/** A line of a megabyte would block the page. */
const MAX_SHOWN = 5_000;
/** Signs that reverse the direction of text could make code look like other code. */
const DIRECTION_SIGNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Cuts a line into pieces of one look each. */
export function codeSpans(
  text: string,
  tokens: readonly SyntaxToken[] | undefined,
  words: readonly TextRange[] | undefined,
): { spans: CodeSpan[]; omitted: number } {
  const shown = text.slice(0, MAX_SHOWN).replaceAll(DIRECTION_SIGNS, '\ufffd');
  const cuts = new Set([0, shown.length]);
  for (const [from, to] of [...(tokens ?? []), ...(words ?? [])]) {
    cuts.add(Math.min(from, shown.length));
    cuts.add(Math.min(to, shown.length));
  }
  const places = [...cuts].toSorted((one, other) => one - other);
  const spans: CodeSpan[] = [];
  for (let index = 0; index + 1 < places.length; index += 1) {
    const [from, to] = [places[index] ?? 0, places[index + 1] ?? 0];
    const covers = ([start, end]: readonly [number, number, ...unknown[]]) => start <= from && to <= end;
    spans.push({
      text: shown.slice(from, to),
      role: tokens?.find(covers)?.[2] ?? null,
      isChanged: words?.some(covers) ?? false,
    });
  }
  return { spans, omitted: text.length - shown.length };
}
