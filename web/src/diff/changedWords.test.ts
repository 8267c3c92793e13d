import { expect, test } from 'vitest';

import { changedWords } from './changedWords';

const marked = (text: string, ranges: readonly (readonly [number, number])[] = []) =>
  ranges.map(([from, to]) => text.slice(from, to));

test('W-16: the words that changed in a line are found', () => {
  const [before, after] = ['    self.rows.get(id).await', '    self.rows.fetch(id).await?;'];
  const words = changedWords(before, after);
  expect(marked(before, words?.before)).toEqual(['get']);
  expect(marked(after, words?.after)).toEqual(['fetch', '?;']);
});

test('lines with little in common are not compared by words', () => {
  expect(changedWords('    return true;', '    let session = store.load(id).await?;')).toBeNull();
  expect(changedWords('x'.repeat(2_000), 'x'.repeat(2_000))).toBeNull();
});

test('words of any alphabet stay whole', () => {
  const words = changedWords('Grüße an Zoë', 'Grüße an Noël');
  expect(marked('Grüße an Zoë', words?.before)).toEqual(['Zoë']);
});
