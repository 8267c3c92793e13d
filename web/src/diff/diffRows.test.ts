import { describe, expect, it } from 'vitest';

import type { DiffFile } from '../api/types';
import { type DiffRow, diffRows, parseFile } from './diffRows';

const file = (patch: string | null, more: Partial<DiffFile> = {}): DiffFile => ({
  path: 'a.ts',
  old_path: null,
  change: 'modified',
  additions: 1,
  deletions: 1,
  binary: false,
  truncated: false,
  patch,
  ...more,
});
const PATCH = '@@ -10,3 +10,4 @@ fn main\n a\n-get(id)\n+fetch(id)\n+more\n b\n@@ -40,1 +41,1 @@\n-x\n+y\n';
const words = (row: DiffRow): string => {
  switch (row.kind) {
    case 'line':
      return `${row.line.kind} ${row.line.text}`;
    case 'pair':
      return `${row.old?.text ?? '-'} | ${row.new?.text ?? '-'}`;
    case 'gap':
      return `gap ${row.hidden} ${row.heading}`.trim();
    case 'note':
      return row.note;
    case 'file':
    case 'comment':
    case 'draft':
    case 'end':
      return row.kind;
  }
};
const rows = (parsed: DiffFile, mode: 'unified' | 'split', hide = false) =>
  diffRows([parseFile(parsed, hide)], mode, () => true).map(words);

describe('W-16 the rows of a diff', () => {
  it('unified: what is hidden, then every line', () => {
    expect(rows(file(PATCH), 'unified')).toEqual([
      'file',
      'gap 9 fn main',
      'same a',
      'removed get(id)',
      'added fetch(id)',
      'added more',
      'same b',
      'gap 27',
      'removed x',
      'added y',
      'end',
    ]);
  });

  it('split: removed lines beside those in their place', () => {
    expect(rows(file(PATCH), 'split')).toEqual([
      'file',
      'gap 9 fn main',
      'a | a',
      'get(id) | fetch(id)',
      '- | more',
      'b | b',
      'gap 27',
      'x | y',
      'end',
    ]);
  });

  it('say why there are no lines', () => {
    expect(rows(file(null, { binary: true }), 'split')).toEqual(['file', 'binary', 'end']);
    expect(rows(file(null, { truncated: true }), 'split')).toEqual(['file', 'too-large', 'end']);
    expect(rows(file(''), 'split')).toEqual(['file', 'no-text', 'end']);
    expect(rows(file('@@ -1 +1 @@\n-a\n+  a\n'), 'split', true)).toEqual(['file', 'only-whitespace', 'end']);
  });

  it('of closed files are left out', () => {
    expect(diffRows([parseFile(file(PATCH), false)], 'split', () => false).map(words)).toEqual(['file', 'end']);
  });
});
