import { describe, expect, it } from 'vitest';

import { minutesText, readMinutes, readWhole } from './numberFields';

describe('number fields', () => {
  it('show seconds as minutes and read them back', () => {
    for (const seconds of [60, 90, 3_600, 1]) {
      expect(Math.abs((readMinutes(minutesText(seconds)) ?? 0) - seconds)).toBeLessThan(1);
    }
    expect(minutesText(null)).toBe('');
    expect(readMinutes(' ')).toBeNull();
  });

  it('refuse what is no number', () => {
    for (const text of ['0', '-1', 'soon', '1e3', '1.234']) {
      expect(readMinutes(text), text).toBeUndefined();
    }
    for (const text of ['0', '1.5', '-2', 'x', '21']) {
      expect(readWhole(text, 20), text).toBeUndefined();
    }
    expect([readWhole('20', 20), readWhole('', 20)]).toEqual([20, null]);
  });
});
