import { describe, expect, it } from 'vitest';

import { readBoardSearch } from './search';

describe('the filters of a board', () => {
  it('are read from its address', () => {
    expect(readBoardSearch({ text: 'csv', meaning: 'needs-you', view: 'list' })).toEqual({
      text: 'csv',
      meaning: 'needs-you',
      view: 'list',
    });
  });

  it('are left out where they are malformed', () => {
    expect(readBoardSearch({ text: '', meaning: 'unheard of', view: 'cube', label: ['a'] })).toEqual({});
  });

  it('keep a number as text', () => {
    expect(readBoardSearch({ text: 404 })).toEqual({ text: '404' });
  });
});
