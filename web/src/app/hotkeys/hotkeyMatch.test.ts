import { describe, expect, it } from 'vitest';

import { actsInFields, keyName, matchSequence } from './hotkeyMatch';

const press = (key: string, held: Partial<Record<'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey', boolean>> = {}) =>
  keyName({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

describe('keys', () => {
  it('are named as the help shows them', () => {
    expect(press('k', { metaKey: true })).toBe('ctrl+k');
    expect(press('?', { shiftKey: true })).toBe('?');
    expect(press('J', { shiftKey: true })).toBe('shift+j');
    expect(press('Escape')).toBe('escape');
    expect(press('ArrowUp', { altKey: true })).toBe('alt+arrowup');
  });

  it('make sequences', () => {
    expect(matchSequence('g i', ['g'])).toBe('part');
    expect(matchSequence('g i', ['g', 'i'])).toBe('full');
    expect(matchSequence('g i', ['i'])).toBe('none');
    expect(matchSequence('i', ['g', 'i'])).toBe('none');
  });

  it('that are single letters never act while a field has the focus', () => {
    expect(actsInFields('c')).toBe(false);
    expect(actsInFields('ctrl+k')).toBe(true);
    expect(actsInFields('escape')).toBe(true);
  });
});
