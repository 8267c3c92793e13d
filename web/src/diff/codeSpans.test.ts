import { expect, test } from 'vitest';

import { codeSpans } from './codeSpans';

test('a line is cut where its colour changes and where its words changed', () => {
  const { spans } = codeSpans(
    'let limits = 60;',
    [
      [0, 3, 'keyword'],
      [13, 15, 'number'],
    ],
    [[4, 14]],
  );
  expect(spans.map(({ text, role, isChanged }) => [text, role, isChanged])).toEqual([
    ['let', 'keyword', false],
    [' ', null, false],
    ['limits = ', null, true],
    ['6', 'number', true],
    ['0', 'number', false],
    [';', null, false],
  ]);
});

test('signs that reverse the direction of text are shown, and endless lines are cut', () => {
  expect(codeSpans('if admin\u202e {', undefined, undefined).spans[0]?.text).toBe('if admin\ufffd {');
  const long = codeSpans('x'.repeat(1_000_000), [[0, 1_000_000, 'string']], undefined);
  expect(long.spans).toHaveLength(1);
  expect(long.omitted).toBe(995_000);
  expect(codeSpans('', undefined, undefined).spans).toEqual([]);
});
