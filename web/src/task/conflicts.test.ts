import { describe, expect, it } from 'vitest';

import type { Conflict, Conflicts, LiveBranch } from '../api/types';
import { anchorOf, between, conflictLines, conflictsByTask, targetConflictsByTask } from './conflicts';

const branch = (number: number, files: string[] | null = null) =>
  ({
    task_id: `t${number}`,
    key: `T-${number}`,
    target: 'main',
    target_conflict: files === null ? null : { files, since: '2026-01-01T00:00:00Z' },
  }) as LiveBranch;
const pair = (one: number, other: number, files: string[]): Conflict => ({
  branches: [branch(one), branch(other)],
  files,
  since: '2026-01-01T00:00:00Z',
});
const found: Conflicts = {
  branches: [branch(1), branch(2), branch(3), branch(4), branch(5, ['v'])],
  conflicts: [pair(1, 2, ['a.rs']), pair(1, 3, ['b.rs', 'c.rs'])],
};

describe('M-14: a card says what its branch conflicts with', () => {
  it('each other branch with its files', () => {
    expect(conflictLines('t1', found)).toEqual(['Conflicts with T-2 in a.rs', 'Conflicts with T-3 in b.rs, c.rs']);
  });

  it('the target, told apart from the pairs', () => {
    expect(conflictLines('t5', found)).toEqual(['Conflicts with main in v']);
    expect([...targetConflictsByTask(found).keys()]).toEqual(['t5']);
  });

  it('and nothing where there is none', () => {
    expect(conflictLines('t4', found)).toEqual([]);
    expect(conflictLines('t4', undefined)).toEqual([]);
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

  it('links each cell to the files of its pair', () => {
    expect(anchorOf(pair(1, 3, []))).toBe('conflict-T-1-T-3');
  });
});
