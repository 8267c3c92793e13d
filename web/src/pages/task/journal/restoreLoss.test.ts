import { expect, test } from 'vitest';

import { restoreLoss } from './restoreLoss';

const files = (...paths: string[]) => paths.map((path) => ({ path }));

test('before an entry is restored the page says which files change', () => {
  expect(restoreLoss(files('a.rs'))).toBe('1 file of the workspace changes: a.rs.');
  expect(restoreLoss(files('a', 'b', 'c', 'd', 'e'))).toBe('5 files of the workspace change: a, b, c and 2 more.');
  expect(restoreLoss([])).toBe('The present files are the same, so nothing changes.');
  expect(restoreLoss(undefined)).toBe('The files of the workspace become those of the entry.');
});
