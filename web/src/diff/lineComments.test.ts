import { describe, expect, it } from 'vitest';

import type { DiffFile } from '../api/types';
import { diffRows, parseFile } from './diffRows';
import { type LineComment, lineFrom, lineWords, quoteOf, reviewMessage, withComments } from './lineComments';

const FILE: DiffFile = {
  additions: 1,
  binary: false,
  change: 'modified',
  deletions: 1,
  old_path: null,
  patch: '@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n',
  path: 'src/a.rs',
  truncated: false,
};
const files = [parseFile(FILE, false)];
const comment = (changed: Partial<LineComment>): LineComment => ({
  id: '1',
  path: 'src/a.rs',
  side: 'new',
  from: 2,
  to: 2,
  text: 'In English.',
  quote: ['zwei'],
  ...changed,
});

describe('comments on lines', () => {
  it.each(['unified', 'split'] as const)('stand under the last of their lines, %s', (mode) => {
    const rows = diffRows(files, mode, () => true);
    const shown = withComments(rows, files, [comment({ from: 1 })], { path: 'src/a.rs', side: 'old', from: 2, to: 2 });
    expect(shown).toHaveLength(rows.length + 2);
    const place = shown.findIndex(({ kind }) => kind === 'comment');
    const above = shown[place - 1];
    expect(above?.kind === 'line' ? above.line.text : above?.kind === 'pair' ? above.new?.text : '').toBe('zwei');
  });

  it('belong to one file', () => {
    const rows = diffRows(files, 'unified', () => true);
    expect(withComments(rows, files, [comment({ path: 'src/b.rs' })], null)).toHaveLength(rows.length);
  });

  it('begin at the first line from the cursor, and quote what they are about', () => {
    const rows = diffRows(files, 'unified', () => true);
    expect(lineFrom(rows, files, 0)).toEqual({ path: 'src/a.rs', side: 'new', from: 1, to: 1 });
    expect(quoteOf(rows, files, { path: 'src/a.rs', side: 'old', from: 1, to: 2 })).toEqual(['one', 'two']);
  });

  it('are one message with the place, the lines and the remark of each', () => {
    const message = reviewMessage([comment({}), comment({ id: '2', side: 'old', from: 3, to: 4, quote: ['```'] })]);
    expect(message).toBe(
      'Change the following.\n\n' +
        'src/a.rs, line 2:\n```\nzwei\n```\nIn English.\n\n' +
        'src/a.rs, removed lines 3–4:\n````\n```\n````\nIn English.',
    );
    expect(lineWords(comment({ from: 1 }))).toBe('lines 1–2');
  });
});
