import { describe, expect, it } from 'vitest';

import type { Action, Task } from '../../api/types';
import { bulkRequest, bulkWords } from './bulkActions';
import { between } from './useBoardChoice';

const action = (name: string, more: Partial<Action> = {}): Action => ({
  name,
  command: null,
  label: name,
  method: 'POST',
  parameters: [],
  path: `/api/v1/tasks/t/${name}`,
  target: null,
  ...more,
});
const OFFERED = [
  action('transition', { target: 'todo' }),
  action('assign', { path: '/api/v1/tasks/t/roles/reviewer' }),
  action('assign', { path: '/api/v1/tasks/t/roles/coder' }),
  action('cancel'),
];
const task = (key: string) => ({ key }) as Task;

describe('actions on several tasks', () => {
  it('are those that the server offers for each task', () => {
    expect(bulkRequest({ kind: 'move', state: 'todo' }, OFFERED)?.body).toEqual({ status: 'todo' });
    expect(bulkRequest({ kind: 'move', state: 'merged' }, OFFERED)).toBeNull();
    expect(bulkRequest({ kind: 'assign', agent: 'a' }, OFFERED)?.action.path).toMatch(/coder$/);
    expect(bulkRequest({ kind: 'cancel' }, OFFERED)?.action.name).toBe('cancel');
    expect(bulkRequest({ kind: 'archive' }, OFFERED)).toBeNull();
  });

  it('tell how many, and why the first stayed', () => {
    expect(bulkWords('moved', [task('T-1'), task('T-2')], [])).toBe('2 moved.');
    expect(bulkWords('moved', [task('T-1')], [{ task: task('T-2'), why: 'it runs' }])).toBe(
      '1 of 2 moved. T-2: it runs',
    );
  });

  it('are chosen in a range in the order of the board', () => {
    const order = ['a', 'b', 'c', 'd'];
    expect(between(order, 'c', 'a')).toEqual(['a', 'b', 'c']);
    expect(between(order, null, 'b')).toEqual(['b']);
    expect(between(order, 'gone', 'b')).toEqual(['b']);
  });
});
