import { describe, expect, it } from 'vitest';

import type { Key } from './keys';
import { StaleQueue } from './staleQueue';
import { eventTypes, staleness } from './staleness';

function signal() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const happening = { project_id: 'p1', task_id: 't1' };

describe('S-2: each event names the answers it makes stale', () => {
  it('a transition refreshes the board, the task, what can be done with it and its history', () => {
    expect(staleness['task.transitioned'](happening)).toEqual(
      expect.arrayContaining([
        ['tasks', 'p1'],
        ['task', 't1'],
        ['actions', 't1'],
        ['transitions', 't1'],
      ]),
    );
  });

  it('a finished review refreshes the list of reviews', () => {
    expect(staleness['review.finished'](happening)).toContainEqual(['reviews', 't1']);
  });

  it('a paused agent changes what can be done with every task', () => {
    const keys = staleness['agent.paused']({ project_id: null, task_id: null });
    expect(keys).toEqual([['agents'], ['actions'], ['waiting'], ['why']]);
  });

  it('an event that names no task makes all of the kind stale rather than none', () => {
    expect(staleness['task.transitioned']({ project_id: null, task_id: null })).toContainEqual(['tasks']);
  });

  it('M-14: a clash refreshes the conflicts of its project and who waits', () => {
    for (const type of ['conflict.detected', 'conflict.cleared'] as const) {
      const keys = staleness[type]({ project_id: 'p1', task_id: null });
      expect(keys, type).toEqual([['conflicts', 'p1'], ['waiting'], ['why']]);
    }
  });

  it('M-13: a train that changed is asked for again', () => {
    expect(staleness['train.changed']({ project_id: 'p1', task_id: null })).toEqual([['train', 'p1']]);
    expect(staleness['merge.finished']({ project_id: 'p1', task_id: 't1' })).toContainEqual(['train', 'p1']);
  });

  it('only an event of a task touches tasks', () => {
    for (const type of eventTypes.filter((type) => type.startsWith('agent.') || type.startsWith('project.'))) {
      const kinds = staleness[type](happening).map(([kind]) => kind);
      expect(kinds, type).not.toContain('task');
      expect(kinds, type).not.toContain('tasks');
    }
  });
});

describe('StaleQueue', () => {
  it('refreshes a key once per round, however many events named it', async () => {
    const refreshed: Key[] = [];
    const settled = signal();
    const queue = new StaleQueue(
      (key) => {
        refreshed.push(key);
        settled.resolve();
        return Promise.resolve();
      },
      () => Promise.resolve(),
    );
    queue.add([['tasks', 'p1']]);
    queue.add([['tasks', 'p1']]);
    await settled.promise;
    expect(refreshed).toEqual([['tasks', 'p1']]);
  });

  it('refreshes again what became stale while a request was under way, and not before it ended', async () => {
    const requests: ReturnType<typeof signal>[] = [];
    let started = signal();
    const queue = new StaleQueue(
      () => {
        const request = signal();
        requests.push(request);
        started.resolve();
        return request.promise;
      },
      () => Promise.resolve(),
    );
    queue.add([['tasks', 'p1']]);
    await started.promise;
    started = signal();
    queue.add([['tasks', 'p1']]);
    expect(requests).toHaveLength(1);
    requests[0]?.resolve();
    await started.promise;
    expect(requests).toHaveLength(2);
  });

  it('goes on after a request that failed', async () => {
    const seen: string[] = [];
    const last = signal();
    const queue = new StaleQueue(
      (key) => {
        seen.push(key[0] ?? '');
        if (key[0] === 'task') {
          return Promise.reject(new Error('gone'));
        }
        last.resolve();
        return Promise.resolve();
      },
      () => Promise.resolve(),
    );
    queue.add([['task', 't1']]);
    queue.add([['agents']]);
    await last.promise;
    expect(seen).toEqual(['task', 'agents']);
  });
});
