import { describe, expect, it } from 'vitest';

import type { StateView, Task } from '../../api/types';
import { columnsOf, phasesOf } from './columns';

const state = (name: string, phase: StateView['phase']) => ({ name, phase }) as StateView;
const task = (number: number, status: string, phase: Task['phase'], priority = 0) =>
  ({ number, status, phase, priority }) as Task;

const workflow = {
  states: [state('ideas', 'backlog'), state('doing', 'working'), state('shipped', 'done'), state('stuck', 'working')],
};

describe('the board', () => {
  it('F-6 has a column per state of any workflow, in its order', () => {
    expect(columnsOf(workflow, []).map((column) => column.state)).toEqual(['ideas', 'doing', 'shipped', 'stuck']);
  });

  it('shows the urgent first, then the old', () => {
    const tasks = [task(3, 'doing', 'working'), task(2, 'doing', 'working'), task(9, 'doing', 'working', 5)];
    expect(columnsOf(workflow, tasks)[1]?.tasks.map(({ number }) => number)).toEqual([9, 2, 3]);
  });

  it('shows a task whose state the present workflow no longer has', () => {
    const columns = columnsOf(workflow, [task(1, 'old_name', 'backlog')]);
    expect(columns.at(-1)).toMatchObject({ state: 'old_name', phase: 'backlog', tasks: [{ number: 1 }] });
  });

  it('F-6 groups by phase without losing a column', () => {
    const groups = phasesOf(columnsOf(workflow, []));
    expect(groups.map(({ phase, columns }) => [phase, columns.map((column) => column.state)])).toEqual([
      ['backlog', ['ideas']],
      ['working', ['doing', 'stuck']],
      ['done', ['shipped']],
    ]);
  });
});
