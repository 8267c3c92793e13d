import { describe, expect, it } from 'vitest';

import { EffectQueue } from './effectQueue';
import type { CacheEffect } from './eventEffects';

function signal() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const card: CacheEffect = { kind: 'card', task: 't1', project: 'p1' };
const agents: CacheEffect = { kind: 'stale', key: ['agents'] };
const atOnce = () => Promise.resolve();

describe('EffectQueue', () => {
  it('asks for a card once per round, however many events named it', async () => {
    const applied: CacheEffect[] = [];
    const settled = signal();
    const queue = new EffectQueue((effect) => {
      applied.push(effect);
      settled.resolve();
      return Promise.resolve();
    }, atOnce);
    queue.add([card]);
    queue.add([card]);
    await settled.promise;
    expect(applied).toEqual([card]);
  });

  it('asks again for what changed while a request was under way, and not before it ended', async () => {
    const requests: ReturnType<typeof signal>[] = [];
    let started = signal();
    const queue = new EffectQueue(() => {
      const request = signal();
      requests.push(request);
      started.resolve();
      return request.promise;
    }, atOnce);
    queue.add([card]);
    await started.promise;
    started = signal();
    queue.add([card]);
    expect(requests).toHaveLength(1);
    requests[0]?.resolve();
    await started.promise;
    expect(requests).toHaveLength(2);
  });

  it('goes on after a request that failed', async () => {
    const seen: string[] = [];
    const last = signal();
    const queue = new EffectQueue((effect) => {
      seen.push(effect.kind);
      if (effect.kind === 'card') {
        return Promise.reject(new Error('gone'));
      }
      last.resolve();
      return Promise.resolve();
    }, atOnce);
    queue.add([card]);
    queue.add([agents]);
    await last.promise;
    expect(seen).toEqual(['card', 'stale']);
  });
});
