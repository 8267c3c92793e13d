import { describe, expect, it } from 'vitest';

import { budgetFields, budgetRequest, budgetWords } from './budget';

describe('a budget', () => {
  it('is written in dollars and kept in millionths', () => {
    expect(budgetRequest({ dollars: ' 12.5 ', tokens: '' })).toEqual({
      problems: null,
      budget: { cost_micro_usd: 12_500_000, tokens: null },
    });
    expect(budgetRequest({ dollars: '0.000001', tokens: '2000' })).toEqual({
      problems: null,
      budget: { cost_micro_usd: 1, tokens: 2000 },
    });
  });

  it('is none when nothing is written', () => {
    expect(budgetRequest({ dollars: ' ', tokens: '' })).toEqual({ problems: null, budget: null });
  });

  it('is refused with every problem at once', () => {
    for (const [dollars, tokens] of [
      ['0', '0'],
      ['-1', '1.5'],
      ['1.0000001', '1e3'],
      ['$5', 'many'],
    ] as const) {
      expect(budgetRequest({ dollars, tokens })).toEqual({
        problems: { dollars: expect.any(String), tokens: expect.any(String) },
      });
    }
  });

  it('is shown as it would be written', () => {
    expect(budgetFields({ cost_micro_usd: 12_500_000, tokens: null })).toEqual({ dollars: '12.50', tokens: '' });
    expect(budgetFields({ cost_micro_usd: 1, tokens: 3 })).toEqual({ dollars: '0.000001', tokens: '3' });
    expect(budgetFields(null)).toEqual({ dollars: '', tokens: '' });
    for (const cost_micro_usd of [1, 10, 1_000_000, 1_234_560, 100_000_000]) {
      const budget = { cost_micro_usd, tokens: null };
      expect(budgetRequest(budgetFields(budget))).toEqual({ problems: null, budget });
    }
  });

  it('is said in words', () => {
    expect(budgetWords({ cost_micro_usd: 5_000_000, tokens: 10 })).toBe('$5.00 and 10 tokens');
    expect(budgetWords(null)).toBe('no limit');
  });
});
