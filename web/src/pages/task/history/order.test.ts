import { describe, expect, it } from 'vitest';

import { latestFirst } from './order';

const at = (...moments: string[]) => moments.map((moment, index) => ({ at: moment, index }));

describe('T-10 history', () => {
  it('shows the latest first, whichever way the list came', () => {
    expect(latestFirst(at('1', '2', '3')).map((entry) => entry.at)).toEqual(['3', '2', '1']);
    expect(latestFirst(at('3', '2', '1')).map((entry) => entry.at)).toEqual(['3', '2', '1']);
    expect(latestFirst([])).toEqual([]);
  });

  it("keeps the server's order of what happened at the same time", () => {
    expect(latestFirst(at('1', '1', '2')).map((entry) => entry.index)).toEqual([2, 1, 0]);
  });
});
