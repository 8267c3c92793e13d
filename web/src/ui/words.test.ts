import { describe, expect, it } from 'vitest';

import { commaList, duration, fullLines, humanize } from './words';

describe('words', () => {
  it('shows any name of a state, also of workflows nobody has written yet', () => {
    expect(humanize('merge_failed')).toBe('Merge failed');
    expect(humanize('código_listo')).toBe('Código listo');
    expect(humanize('')).toBe('');
  });

  it('says durations in the unit that fits', () => {
    expect([12, 1_500, 61_000, 3_720_000].map(duration)).toEqual(['12 ms', '1.5 s', '1 min 1 s', '1 h 2 min']);
  });

  it('reads lists as people write them', () => {
    expect(commaList(' ui, , api,ui ')).toEqual(['ui', 'api']);
    expect(fullLines('make test\n\n  make lint  \n')).toEqual(['make test', 'make lint']);
  });
});
