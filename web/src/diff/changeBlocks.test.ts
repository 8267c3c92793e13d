import { describe, expect, it } from 'vitest';

import { ignoreWhitespace, lineBlocks } from './changeBlocks';
import { type DiffHunk, patchHunks } from './patch';

const hunkOf = (body: string): DiffHunk => {
  const lines = body.split('\n');
  const count = (marks: string) => lines.filter((line) => marks.includes(line.charAt(0))).length;
  const [hunk] = patchHunks(`@@ -1,${count(' -')} +1,${count(' +')} @@\n${body}`);
  return hunk as DiffHunk;
};
const shown = (hunk: DiffHunk | null) => hunk?.lines.map(({ kind, text }) => `${kind} ${text}`);

describe('the lines of a hunk', () => {
  it('are grouped by what replaced what', () => {
    const blocks = lineBlocks(hunkOf(' a\n-b\n+c\n+d\n e\n+f').lines);
    expect(
      blocks.map((block) => (block.kind === 'same' ? 'same' : [block.removed.length, block.added.length])),
    ).toEqual(['same', [1, 2], 'same', [0, 1]]);
  });
});

describe('without white space', () => {
  it('shows an indented line as unchanged, with its new text and both numbers', () => {
    const hunk = ignoreWhitespace(hunkOf(' if\n-  one\n-  two\n+    one\n+    three'));
    expect(shown(hunk)).toEqual(['same if', 'same     one', 'removed   two', 'added     three']);
    expect(hunk?.lines[1]).toMatchObject({ oldNumber: 2, newNumber: 2 });
  });

  it('shows no hunk in which nothing else changed', () => {
    expect(ignoreWhitespace(hunkOf(' a\n-\tb\n+  b'))).toBeNull();
    expect(ignoreWhitespace(hunkOf(' a\n+\n b'))).toBeNull();
  });

  it('keeps a blank line between lines that changed', () => {
    expect(shown(ignoreWhitespace(hunkOf('+a\n+\n+b')))).toEqual(['added a', 'added ', 'added b']);
  });
});
