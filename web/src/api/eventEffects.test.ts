import { describe, expect, it } from 'vitest';

import { type CacheEffect, eventEffects, eventTypes } from './eventEffects';

const place = { project_id: 'p1', task_id: 't1' };
const staleKeys = (effects: readonly CacheEffect[]) =>
  effects.flatMap((effect) => (effect.kind === 'stale' ? [effect.key] : []));

describe('S-2: each event names what it changes in the cache', () => {
  it('a transition changes one card, never a whole list of tasks', () => {
    const effects = eventEffects['task.transitioned'](place);
    expect(effects).toContainEqual({ kind: 'card', task: 't1', project: 'p1' });
    expect(staleKeys(effects)).toEqual(
      expect.arrayContaining([
        ['actions', 't1'],
        ['transitions', 't1'],
      ]),
    );
    expect(staleKeys(effects).map(([kind]) => kind)).not.toContain('tasks');
  });

  it('a finished review refreshes the list of reviews', () => {
    expect(staleKeys(eventEffects['review.finished'](place))).toContainEqual(['reviews', 't1']);
  });

  it('a paused agent changes what can be done with every task', () => {
    const effects = eventEffects['agent.paused']({ project_id: null, task_id: null });
    expect(staleKeys(effects)).toEqual(
      expect.arrayContaining([['agents'], ['actions'], ['waiting'], ['why'], ['needs-person']]),
    );
  });

  it('an event that names no task makes all of the kind stale rather than none', () => {
    expect(staleKeys(eventEffects['task.transitioned']({ project_id: null, task_id: null }))).toContainEqual(['tasks']);
  });

  it('M-14: a conflict refreshes the conflicts of its project and what waits', () => {
    for (const type of ['conflict.detected', 'conflict.cleared'] as const) {
      const keys = staleKeys(eventEffects[type]({ project_id: 'p1', task_id: null }));
      expect(keys, type).toEqual([['waiting', 'p1'], ['why'], ['needs-person'], ['conflicts', 'p1']]);
    }
  });

  it('M-13: a train that changed is asked for again', () => {
    expect(staleKeys(eventEffects['train.changed']({ project_id: 'p1', task_id: null }))).toEqual([['train', 'p1']]);
    expect(staleKeys(eventEffects['merge.finished'](place))).toContainEqual(['train', 'p1']);
  });

  it('only an event of a task touches cards', () => {
    for (const type of eventTypes.filter((name) => name.startsWith('agent.') || name.startsWith('project.'))) {
      expect(
        eventEffects[type](place).map(({ kind }) => kind),
        type,
      ).not.toContain('card');
    }
  });
});
