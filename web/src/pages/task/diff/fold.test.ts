import { expect, test } from 'vitest';

import { foldedFiles } from './fold';

test('W-16: long files and what comes after enough of them are folded', () => {
  expect(foldedFiles([1, 501, 500])).toEqual([false, true, false]);
  expect(foldedFiles([500, 500, 500, 500, 1, 0])).toEqual([false, false, false, false, true, false]);
  expect(foldedFiles([])).toEqual([]);
});
