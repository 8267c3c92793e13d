import { describe, expect, it } from 'vitest';

import { commaList, fullLines, humanize } from './words';

describe('words', () => {
  it('shows any name of a state, also of unknown workflows', () => {
    expect(humanize('merge_failed')).toBe('Merge failed');
    expect(humanize('código_listo')).toBe('Código listo');
    expect(humanize('')).toBe('');
  });

  it('reads lists as people write them', () => {
    expect(commaList(' ui, , api,ui ')).toEqual(['ui', 'api']);
    expect(fullLines('make test\n\n  make lint  \n')).toEqual(['make test', 'make lint']);
  });
});
