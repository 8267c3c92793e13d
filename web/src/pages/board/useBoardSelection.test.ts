import { describe, expect, it } from 'vitest';

import { stepFrom } from './useBoardSelection';

const columns = [['a', 'b', 'c'], [], ['d']];

describe('the keyboard goes from card to card', () => {
  it('begins at the first', () => {
    expect(stepFrom(columns, null, 'down')).toBe('a');
  });

  it('stays in its column, and jumps over empty ones', () => {
    expect(stepFrom(columns, 'a', 'down')).toBe('b');
    expect(stepFrom(columns, 'a', 'up')).toBeNull();
    expect(stepFrom(columns, 'c', 'right')).toBe('d');
    expect(stepFrom(columns, 'd', 'left')).toBe('a');
  });
});
