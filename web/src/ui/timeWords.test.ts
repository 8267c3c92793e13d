import { describe, expect, it } from 'vitest';

import { durationWords, longAge, shortAge } from './timeWords';

describe('ages and durations', () => {
  it('shows an age in its largest unit', () => {
    expect([0, 59_000, 60_000, 3_600_000, 90_000_000].map(shortAge)).toEqual(['now', 'now', '1m', '1h', '1d']);
    expect(longAge(240_000)).toBe('4 minutes ago');
    expect(longAge(3_600_000)).toBe('1 hour ago');
  });

  it('shows a duration with two units at most', () => {
    expect([180, 14_200, 760_000, 4_920_000].map(durationWords)).toEqual(['0.2s', '14s', '12m 40s', '1h 22m']);
  });
});
