import { describe, expect, it } from 'vitest';

import { reviewRoute } from './reviewRoute';

const ended = { finished_at: '2026-01-01T00:00:00Z', agent_id: 'a' };
const named = (...names: string[]) => names.map((name) => ({ name }));

describe('a review reaches the agent', () => {
  it('while it works', () => {
    expect(reviewRoute(named('steer', 'reject'), ended)).toBe('steer');
  });

  it('by sending the work back from a gate, else by going on with the conversation', () => {
    expect(reviewRoute(named('reject', 'restart'), ended)).toBe('reject');
    expect(reviewRoute(named('restart'), ended)).toBe('follow-up');
  });

  it('as a comment where no agent can take it', () => {
    expect(reviewRoute(named('archive'), undefined)).toBe('comment');
  });
});
