import { describe, expect, it } from 'vitest';

import type { Conflict, Conflicts, LiveBranch } from '../../api/types';
import { anchorOf, between, clashBadge, conflictsByTask } from './clashes';

const branch = (number: number) => ({ task_id: `t${number}`, key: `T-${number}` }) as LiveBranch;
const clash = (one: number, other: number, files: string[]): Conflict => ({
  branches: [branch(one), branch(other)],
  files,
  since: '2026-01-01T00:00:00Z',
});
const found: Conflicts = {
  branches: [branch(1), branch(2), branch(3), branch(4)],
  conflicts: [clash(1, 2, ['a.rs']), clash(1, 3, ['b.rs', 'c.rs'])],
};

describe('M-14: a card says which branches its own clashes with', () => {
  const byTask = conflictsByTask(found);

  it('by name where it is one', () => {
    expect(clashBadge('t2', byTask.get('t2'))).toEqual({ text: 'Clashes with T-1', title: 'T-1: a.rs' });
  });

  it('by number where they are more, with all of them and their files on hover', () => {
    expect(clashBadge('t1', byTask.get('t1'))).toEqual({
      text: 'Clashes with 2',
      title: 'T-2: a.rs\nT-3: b.rs, c.rs',
    });
  });

  it('and nothing where there is none', () => {
    expect(clashBadge('t4', byTask.get('t4'))).toBeNull();
    expect(conflictsByTask(undefined).size).toBe(0);
  });
});

describe('M-14: the matrix', () => {
  it('has a pair in both of its cells, and only there', () => {
    const byTask = conflictsByTask(found);
    expect(between(byTask, 't1', 't3')).toBe(found.conflicts[1]);
    expect(between(byTask, 't3', 't1')).toBe(found.conflicts[1]);
    expect(between(byTask, 't2', 't3')).toBeUndefined();
    expect(between(byTask, 't1', 't1')).toBeUndefined();
  });

  it('links each cell to where the pair is told', () => {
    expect(anchorOf(clash(1, 3, []))).toBe('clash-T-1-T-3');
  });
});
