import { describe, expect, it } from 'vitest';

import { dollars, tokenCount } from './amounts';

describe('amounts', () => {
  it('are short', () => {
    expect(dollars(840_000)).toBe('$0.84');
    expect([18, 412_400, 1_200_000].map(tokenCount)).toEqual(['18', '412k', '1.2M']);
  });
});
