import { describe, expect, it } from 'vitest';

import { patchHunks } from './patch';

const patch = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -3,3 +3,4 @@ fn main() {
 same
-old
+new
+more
 end
@@ -20 +21 @@
-last
\\ No newline at end of file
+last!
`;

describe('W-16 a patch', () => {
  it('has its lines with their numbers on both sides', () => {
    const hunks = patchHunks(patch);
    expect(hunks.map(({ heading, oldStart, newStart }) => [heading, oldStart, newStart])).toEqual([
      ['fn main() {', 3, 3],
      ['', 20, 21],
    ]);
    const lines = hunks.flatMap((hunk) => hunk.lines);
    expect(lines.map(({ kind, text, oldNumber, newNumber }) => [kind, text, oldNumber, newNumber])).toEqual([
      ['same', 'same', 3, 3],
      ['removed', 'old', 4, null],
      ['added', 'new', null, 4],
      ['added', 'more', null, 5],
      ['same', 'end', 5, 6],
      ['removed', 'last', 20, null],
      ['added', 'last!', null, 21],
    ]);
    expect(lines.map(({ isUnterminated }) => isUnterminated === true)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
      false,
    ]);
  });

  it('takes content that looks like a heading for content', () => {
    const tricky = '@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n @@ -1 +1 @@\n';
    expect(patchHunks(tricky).flatMap(({ lines }) => lines.map(({ kind, text }) => [kind, text]))).toEqual([
      ['removed', '-- a/x'],
      ['added', '++ b/x'],
      ['same', '@@ -1 +1 @@'],
    ]);
  });

  it('of an empty file is empty', () => {
    expect(patchHunks('')).toEqual([]);
    expect(patchHunks('diff --git a/x b/x\nnew file mode 100644\n')).toEqual([]);
  });
});
