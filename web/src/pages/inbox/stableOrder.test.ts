import { describe, expect, it } from 'vitest';

import { stableOrder } from './stableOrder';

describe('the order of the inbox', () => {
  it('does not jump: new rows come after those that are shown', () => {
    expect(stableOrder(['b', 'a'], ['a', 'c', 'b', 'd'], (id) => id)).toEqual(['b', 'a', 'c', 'd']);
  });

  it('closes the gap of a row that is gone', () => {
    expect(stableOrder(['b', 'gone', 'a'], ['a', 'b'], (id) => id)).toEqual(['b', 'a']);
  });
});
