import { describe, expect, it } from 'vitest';

import type { Action, Task, WorkflowView } from '../../api/types';
import { dropOn, moveTargets } from './moves';

const workflow = {
  states: [
    { name: 'ready', targets: { manual: ['shelf'], claim: 'doing' } },
    { name: 'doing', targets: { manual: ['ready'], claim: null } },
    { name: 'closed', targets: { manual: [], claim: null } },
  ],
} as unknown as WorkflowView;
const task = (status: string) => ({ key: 'T-1', status }) as Task;

describe('drag and drop is limited to what the workflow allows', () => {
  it('moves along a manual edge, and starts where an agent would claim', () => {
    expect(dropOn(task('ready'), workflow, undefined, ['shelf'])).toEqual({ kind: 'move', state: 'shelf' });
    expect(dropOn(task('ready'), workflow, undefined, ['other', 'doing'])).toEqual({ kind: 'start', state: 'doing' });
  });

  it('refuses everything else with the reason', () => {
    expect(dropOn(task('doing'), workflow, undefined, ['closed'])).toEqual({
      kind: 'refused',
      reason: 'From Doing it can go to Ready.',
    });
    expect(dropOn(task('closed'), workflow, undefined, ['ready'])).toMatchObject({
      reason: 'T-1 cannot be moved out of Closed by hand.',
    });
  });

  it('trusts what the server offers more than the drawing', () => {
    const offered = [{ name: 'transition', target: 'closed' } as Action, { name: 'cancel', target: null } as Action];
    expect(moveTargets(task('doing'), workflow, offered)).toEqual(['closed']);
  });
});
