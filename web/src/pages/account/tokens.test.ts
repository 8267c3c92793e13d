import { describe, expect, it } from 'vitest';

import type { Token } from '../../api/types';
import { loginLine, newTokenRequest, sortTokens, standingOf } from './tokens';

const now = new Date('2026-03-01T12:00:00Z');

const token = (name: string, ended: Partial<Pick<Token, 'revoked_at' | 'expires_at'>> = {}): Token => ({
  id: name,
  name,
  user_id: 'u1',
  scope: 'full',
  created_at: '2026-02-01T12:00:00Z',
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  ...ended,
});

describe('S-6: tokens', () => {
  it('a new one is named for what it is for', () => {
    expect(newTokenRequest(' laptop ')).toEqual({ problem: null, token: { name: 'laptop' } });
    for (const name of ['', '  ', '-x']) {
      expect(newTokenRequest(name).problem, name).not.toBeNull();
    }
  });

  it('one works until it is revoked or its time is over', () => {
    expect(standingOf(token('a'), now)).toBe('works');
    expect(standingOf(token('a', { expires_at: '2026-03-01T12:00:01Z' }), now)).toBe('works');
    expect(standingOf(token('a', { expires_at: '2026-03-01T12:00:00Z' }), now)).toBe('expired');
    expect(standingOf(token('a', { revoked_at: '2026-02-02T12:00:00Z' }), now)).toBe('revoked');
  });

  it('those that work stand apart, the newest first', () => {
    const list = [token('a'), token('b', { revoked_at: '2026-02-02T12:00:00Z' }), token('c')];
    const { working, past } = sortTokens(list, now);
    expect(working.map(({ token }) => token.name)).toEqual(['c', 'a']);
    expect(past.map(({ token, standing }) => [token.name, standing])).toEqual([['b', 'revoked']]);
  });

  it('the line to sign in with names the server unless it is the usual one', () => {
    expect(loginLine('http://127.0.0.1:8080')).toBe('forge login');
    expect(loginLine('https://forge.example')).toBe('forge login --url https://forge.example');
    expect(loginLine('http://[::1]:8080')).toBe("forge login --url 'http://[::1]:8080'");
  });
});
