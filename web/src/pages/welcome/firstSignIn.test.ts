import { describe, expect, it } from 'vitest';

import { signInWithoutPassword, signInWithPassword } from './firstSignIn';

const form = (name: string, password = '', again = password) => ({ name, password, again });

describe('S-6: the first sign-in by the one-time link', () => {
  it('uses the link with the name and the password as written', () => {
    expect(signInWithPassword('c', form(' ann ', ' long enough '))).toEqual({
      problems: null,
      link: { code: 'c', name: 'ann', password: ' long enough ' },
    });
  });

  it('leaves the name to the server when none is written', () => {
    expect(signInWithPassword('c', form('  ', '12345678'))).toEqual({
      problems: null,
      link: { code: 'c', password: '12345678' },
    });
  });

  it('keeps the link when the password is too short, counted in whole characters', () => {
    for (const password of ['', '1234567', '🔑🔑🔑🔑🔑🔑🔑']) {
      expect(signInWithPassword('c', form('', password)), password).toEqual({
        problems: { password: expect.any(String) },
      });
    }
    expect(signInWithPassword('c', form('', '🔑🔑🔑🔑🔑🔑🔑🔑')).problems).toBeNull();
  });

  it('keeps the link when the two passwords differ', () => {
    expect(signInWithPassword('c', form('', '12345678', '12345687'))).toEqual({
      problems: { again: expect.any(String) },
    });
  });

  it('says every problem at once', () => {
    expect(signInWithPassword('c', form('-x', 'short'))).toEqual({
      problems: { name: expect.any(String), password: expect.any(String) },
    });
  });

  it('skipped, sends no password, not even a half written one', () => {
    expect(signInWithoutPassword('c', form('ann', 'half'))).toEqual({
      problems: null,
      link: { code: 'c', name: 'ann' },
    });
    expect(signInWithoutPassword('c', form('-x')).problems).toEqual({ name: expect.any(String) });
  });
});
