import { describe, expect, it } from 'vitest';

import { codeInFragment } from './linkCode';

describe('S-6: the one-time link', () => {
  it('carries its code in the fragment', () => {
    expect(codeInFragment('#code=a_B-9')).toBe('a_B-9');
  });

  it('without a code is no sign-in link', () => {
    for (const fragment of ['', '#', '#code=', '#tab=log']) {
      expect(codeInFragment(fragment), fragment).toBeNull();
    }
  });
});
