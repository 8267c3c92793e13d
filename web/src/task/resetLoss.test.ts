import { describe, expect, it } from 'vitest';

import { resetLoss } from './resetLoss';

const dirty = (staged: number, modified: number, untracked: number) => ({ staged, modified, untracked, conflicted: 0 });

describe('Issue 13.22: a reset says what it sets aside', () => {
  it('by counting commits and uncommitted changes', () => {
    expect(resetLoss({ ahead: 2, dirty: dirty(1, 1, 1) })).toBe(
      '2 commits and 3 uncommitted changes will be set aside.',
    );
    expect(resetLoss({ ahead: 1, dirty: null })).toBe('1 commit will be set aside.');
    expect(resetLoss({ ahead: 0, dirty: dirty(0, 0, 1) })).toBe('1 uncommitted change will be set aside.');
  });

  it('also where there is nothing, and where nothing is known yet', () => {
    expect(resetLoss({ ahead: 0, dirty: dirty(0, 0, 0) })).toBe('There is nothing in it to set aside.');
    expect(resetLoss(undefined)).toContain('will be set aside');
  });
});
