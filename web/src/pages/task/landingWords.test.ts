import { describe, expect, it } from 'vitest';

import { cleanedWords, landedWords } from './landingWords';

const at = '2025-01-02T03:04:05Z';

describe('how the work ended', () => {
  it('M-10: says what landed and what is known of it', () => {
    const landing = { outcome: 'merged', commit: '0123456789abcdef', target: 'main', verified: null, at } as const;
    expect(landedWords(landing)).toBe('0123456 on main');
    expect(landedWords({ ...landing, verified: 'failed' })).toBe('0123456 on main, checks failed there');
    expect(landedWords({ ...landing, outcome: 'nothing_to_merge', commit: null })).toContain('Nothing to merge');
  });

  it('M-10: says what was removed', () => {
    const cleanup = { worktree: true, branch: true, record: true, warnings: [], at };
    expect(cleanedWords(cleanup)).toBe("worktree, branch, git's record");
    expect(cleanedWords({ ...cleanup, branch: false })).toBe("worktree, git's record");
    expect(cleanedWords({ worktree: false, branch: false, record: false, warnings: [], at })).toBe('nothing');
  });
});
