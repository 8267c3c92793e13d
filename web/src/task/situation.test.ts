import { describe, expect, it } from 'vitest';

import type { NeedsPerson, StateView, Task, TaskWaiting } from '../api/types';
import { situationOf } from './situation';

const task = (over: Partial<Task> = {}): Task =>
  ({ error_annotation: null, busy: null, landing: null, phase: 'working', ...over }) as Task;
const state = (kind: StateView['kind'], outcome: StateView['outcome'] = null): StateView =>
  ({ name: 'any name', kind, outcome }) as StateView;
const person = (reason: string, message = 'why'): NeedsPerson => ({ reason, message }) as NeedsPerson;
const waiting = (code: string, message: string): TaskWaiting =>
  ({ reasons: [{ code, message, subjects: [] }] }) as unknown as TaskWaiting;

describe('P-7: what a task means follows from the kind of its state', () => {
  it.each([
    ['queue', 'queued'],
    ['work', 'working'],
    ['gate', 'checking'],
    ['merge', 'landing'],
    ['hold', 'needs-you'],
  ] as const)('%s means %s', (kind, meaning) => {
    expect(situationOf({ task: task(), state: state(kind) }).meaning).toBe(meaning);
  });

  it.each([
    ['success', 'landed'],
    ['failure', 'failed'],
    ['cancelled', 'ended'],
  ] as const)('an end with %s means %s', (outcome, meaning) => {
    expect(situationOf({ task: task(), state: state('terminal', outcome) }).meaning).toBe(meaning);
  });
});

describe('what needs the user', () => {
  it('is amber, and red where something broke', () => {
    expect(situationOf({ task: task(), state: state('gate'), person: person('review_passed') })).toMatchObject({
      meaning: 'needs-you',
      label: 'Ready to land',
    });
    expect(situationOf({ task: task(), state: state('hold'), person: person('gate_exhausted') }).meaning).toBe(
      'failed',
    );
  });

  it('is shown with the message of the server also where its reason is new to the page', () => {
    const shown = situationOf({ task: task(), state: state('work'), person: person('brand_new', 'look at this') });
    expect(shown).toMatchObject({ meaning: 'needs-you', label: 'Needs you', reason: 'Look at this' });
  });
});

describe('what waits', () => {
  it('is held by a dependency, and only queued behind other tasks', () => {
    const queue = state('queue');
    expect(situationOf({ task: task(), state: queue, waiting: waiting('dependency', 'waits for T-1') })).toMatchObject({
      meaning: 'held',
      reason: 'Waits for T-1',
    });
    const next = situationOf({ task: task(), state: queue, waiting: waiting('next_in_line', 'is next') });
    expect(next).toMatchObject({ meaning: 'queued', reason: 'Is next' });
  });

  it('says nothing where tasks are started by hand', () => {
    const shown = situationOf({ task: task(), state: state('queue'), waiting: waiting('dispatch_off', 'off') });
    expect(shown.reason).toBeNull();
  });
});
