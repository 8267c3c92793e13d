import { describe, expect, it } from 'vitest';

import type { WorkflowView } from '../../api/types';
import { claimableState } from './startTask';

const state = (name: string, claimable: boolean, manual: string[] = []) => ({ name, claimable, targets: { manual } });
const workflow = {
  states: [state('inbox', false, ['shelf', 'ready']), state('shelf', false), state('ready', true)],
} as unknown as Pick<WorkflowView, 'states'>;

describe('P-7: a new task is started from whatever state can be claimed', () => {
  it('its own, one move away, or none', () => {
    expect(claimableState(workflow, 'ready')).toBe('ready');
    expect(claimableState(workflow, 'inbox')).toBe('ready');
    expect(claimableState(workflow, 'shelf')).toBeNull();
    expect(claimableState(workflow, 'unknown')).toBeNull();
  });
});
