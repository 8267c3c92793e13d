import { describe, expect, it } from 'vitest';

import { placeTask, type TaskListData } from './taskLists';
import type { Task } from './types';

const task = (id: string, phase: Task['phase'], version = 1): Task =>
  ({ id, phase, version, archived_at: null }) as unknown as Task;
const list = (...tasks: Task[]): TaskListData => ({ pages: [{ items: tasks, next_cursor: null }], pageParams: [null] });
const ids = (data: TaskListData | 'stale') =>
  data === 'stale' ? data : data.pages.flatMap(({ items }) => items.map(({ id }) => id));

describe('an event moves one card', () => {
  it('out of the list of its old phase and into that of its new one', () => {
    const moved = task('t1', 'review', 2);
    expect(ids(placeTask(list(task('t1', 'working'), task('t2', 'working')), { phase: 'working' }, moved))).toEqual([
      't2',
    ]);
    expect(ids(placeTask(list(task('t3', 'review')), { phase: 'review' }, moved))).toEqual(['t1', 't3']);
  });

  it('leaves the lists of other phases as they are', () => {
    const data = list(task('t3', 'done'));
    expect(placeTask(data, { phase: 'done' }, task('t1', 'review'))).toBe(data);
  });

  it('never replaces a newer version by an older answer', () => {
    const data = placeTask(list(task('t1', 'working', 5)), { phase: 'working' }, task('t1', 'working', 4));
    expect(data === 'stale' ? null : data.pages[0]?.items[0]?.version).toBe(5);
  });

  it('asks the server whether a new card matches a filter', () => {
    expect(placeTask(list(), { phase: 'working', label: 'api' }, task('t1', 'working'))).toBe('stale');
  });
});
