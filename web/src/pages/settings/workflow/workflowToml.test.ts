import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';

import type { StateView, WorkflowView } from '../../../api/types';
import { lineOfPlace, workflowToml } from './workflowToml';

const TARGETS: StateView['targets'] = {
  claim: null,
  conflict: null,
  done: null,
  exhausted: null,
  failed: null,
  manual: [],
  merged: null,
  pass: null,
  reject: null,
  rejected: null,
};
const state = (changed: Partial<StateView>): StateView => ({
  auto_advance: false,
  claimable: false,
  cleanup: null,
  kind: 'queue',
  max_attempts: null,
  name: 'todo',
  optional: false,
  outcome: null,
  phase: 'ready',
  role: null,
  targets: TARGETS,
  ...changed,
});

const WORKFLOW: WorkflowView = {
  name: 'mine "2"',
  initial: 'todo',
  fault: 'stuck',
  cancel: 'dropped',
  hash: 'h',
  states: [
    state({ claimable: true, targets: { ...TARGETS, claim: 'coding', manual: ['stuck', 'b'] } }),
    state({ name: 'dropped', kind: 'terminal', outcome: 'cancelled', cleanup: { mode: 'delayed', after_seconds: 60 } }),
  ],
};

describe('a workflow as TOML', () => {
  it('reads back as the definition', () => {
    const todo = { name: 'todo', kind: 'queue', phase: 'ready', claimable: true, claim_target: 'coding' };
    const dropped = { name: 'dropped', kind: 'terminal', phase: 'ready', outcome: 'cancelled' };
    expect(parse(workflowToml(WORKFLOW))).toEqual({
      name: 'mine "2"',
      initial: 'todo',
      fault: 'stuck',
      cancel: 'dropped',
      state: [
        { ...todo, manual: ['stuck', 'b'] },
        { ...dropped, cleanup: 'delayed', cleanup_seconds: 60 },
      ],
    });
  });

  it('finds the line of a problem: the key, else the head of its state', () => {
    const source = workflowToml(WORKFLOW);
    const line = (place: string) => source.split('\n')[(lineOfPlace(source, place) ?? 0) - 1];
    expect(line('state[0].claim_target')).toBe('claim_target = "coding"');
    expect(line('state[1].pass')).toBe('[[state]]');
    expect(line('fault')).toBe('fault = "stuck"');
    expect(lineOfPlace(source, 'state[7]')).toBeNull();
    expect(lineOfPlace(source, 'nothing')).toBeNull();
  });
});
