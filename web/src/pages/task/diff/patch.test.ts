import { describe, expect, it } from 'vitest';

import { patchLines } from './patch';

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
    expect(patchLines(patch).map(({ kind, text, oldNumber, newNumber }) => [kind, text, oldNumber, newNumber])).toEqual(
      [
        ['hunk', '@@ -3,3 +3,4 @@ fn main() {', null, null],
        ['same', 'same', 3, 3],
        ['removed', 'old', 4, null],
        ['added', 'new', null, 4],
        ['added', 'more', null, 5],
        ['same', 'end', 5, 6],
        ['hunk', '@@ -20 +21 @@', null, null],
        ['removed', 'last', 20, null],
        ['note', 'No newline at end of file', null, null],
        ['added', 'last!', null, 21],
      ],
    );
  });

  it('takes content that looks like a head for content', () => {
    const tricky = '@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n @@ -1 +1 @@\n';
    expect(patchLines(tricky).map(({ kind, text }) => [kind, text])).toEqual([
      ['hunk', '@@ -1,2 +1,2 @@'],
      ['removed', '-- a/x'],
      ['added', '++ b/x'],
      ['same', '@@ -1 +1 @@'],
    ]);
  });

  it('of an empty file is empty', () => {
    expect(patchLines('')).toEqual([]);
    expect(patchLines('diff --git a/x b/x\nnew file mode 100644\n')).toEqual([]);
  });
});
