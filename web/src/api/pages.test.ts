import { describe, expect, it } from 'vitest';

import { everyItem } from './pages';

describe('T-2 lists', () => {
  it('are read to their last page, by the cursors the server gave', async () => {
    const pages = new Map([
      [undefined, { items: [1, 2], next_cursor: 'b' }],
      ['b', { items: [3], next_cursor: 'c' }],
      ['c', { items: [], next_cursor: null }],
    ]);
    const read = await everyItem(async ({ cursor }) => pages.get(cursor) ?? expect.fail(`cursor ${cursor}`));
    expect(read).toEqual([1, 2, 3]);
  });

  it('end even if a server repeats a cursor', async () => {
    let count = 0;
    const read = await everyItem(async () => {
      count += 1;
      return { items: [count], next_cursor: 'again' };
    });
    expect(read).toEqual([1, 2]);
  });
});
