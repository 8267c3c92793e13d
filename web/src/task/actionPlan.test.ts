import { describe, expect, it } from 'vitest';

import type { Action, NeedsPerson, Task, WorkflowView } from '../api/types';
import { planActions } from './actionPlan';

const workflow = {
  states: [
    { name: 'a', kind: 'queue' },
    { name: 'b', kind: 'work' },
    { name: 'c', kind: 'gate' },
    { name: 'd', kind: 'merge' },
    { name: 'e', kind: 'hold' },
  ],
} as unknown as WorkflowView;
const task = (status: string, roles: Task['roles'] = {}) => ({ status, roles }) as Task;
const offer = (name: string, target: string | null = null, required: string[] = []): Action => ({
  name,
  target,
  command: null,
  label: `raw ${name}`,
  method: 'POST',
  path: `/api/v1/tasks/t/${name}`,
  parameters: required.map((parameter) => ({ name: parameter, kind: 'text' as const, required: true, choices: null })),
});
const labels = (list: readonly { label: string }[]) => list.map(({ label }) => label);

describe('T-11: actions are named by what they mean', () => {
  it('a move is named by the kind of its target, never by the raw label', () => {
    const plan = planActions(
      [offer('transition', 'd'), offer('transition', 'b'), offer('transition', 'a'), offer('cancel')],
      {
        task: task('c'),
        workflow,
        meaning: 'needs-you',
      },
    );
    expect(plan.primary?.label).toBe('Approve and land');
    expect(plan.isPrimaryInk).toBe(true);
    expect(labels(plan.menu)).toEqual(['Send back']);
    expect(labels(plan.moves)).toEqual(['Move to A']);
    expect(labels(plan.dangerous)).toEqual(['Cancel task…']);
  });

  it('a queued task starts, at once if its agent is set', () => {
    const plan = (roles: Task['roles']) =>
      planActions([offer('claim')], { task: task('a', roles), workflow, meaning: 'queued' }).primary?.label;
    expect(plan({})).toBe('Start');
    expect(plan({ coder: { agent_id: 'x' } })).toBe('Start now');
  });

  it('a conflict is cured by updating the branch', () => {
    const plan = planActions([offer('transition', 'd'), offer('rebase')], {
      task: task('e'),
      workflow,
      meaning: 'needs-you',
      person: { reason: 'merge_conflict' } as NeedsPerson,
    });
    expect(plan.primary?.label).toBe('Update branch');
  });

  it('where the primary action is not offered, another takes its place as a secondary button', () => {
    const plan = planActions([offer('transition', 'b')], { task: task('e'), workflow, meaning: 'failed' });
    expect(plan.primary?.label).toBe('Send back');
    expect(plan.isPrimaryInk).toBe(false);
  });

  it('an approval against the gate needs a reason and is never the primary action', () => {
    const plan = planActions([offer('approve', null, ['reason'])], { task: task('c'), workflow, meaning: 'checking' });
    expect(plan.isPrimaryInk).toBe(false);
    expect(plan.primary).toMatchObject({ label: 'Approve anyway', asks: true });
  });

  it('what the server offers both as a move and as an answer to the review is shown once', () => {
    const plan = planActions(
      [offer('transition', 'd'), offer('approve'), offer('transition', 'b'), offer('reject', null, ['reason'])],
      { task: task('c'), workflow, meaning: 'needs-you' },
    );
    expect(plan.primary?.action.name).toBe('transition');
    expect(plan.menu.map(({ action }) => action.name)).toEqual(['reject']);
    expect(labels(plan.moves)).toEqual(['Move to B']);
  });

  it('an action that is new to the page keeps the label of the server', () => {
    const plan = planActions([offer('teleport')], { task: task('b'), workflow, meaning: 'working' });
    expect(labels(plan.menu)).toEqual(['raw teleport']);
  });
});
