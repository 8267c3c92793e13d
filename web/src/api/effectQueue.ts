import type { CacheEffect } from './eventEffects';

/**
 * Collects the effects of events and applies them in rounds: one round at a time, each waiting for its requests. A
 * burst of events about one task then costs one request, and a request under way is never cancelled by the next event.
 */
export class EffectQueue {
  private pending = new Map<string, CacheEffect>();
  private isRunning = false;

  constructor(
    private readonly apply: (effect: CacheEffect) => Promise<void>,
    private readonly pause: () => Promise<void>,
  ) {}

  add(effects: readonly CacheEffect[]): void {
    for (const effect of effects) {
      this.pending.set(JSON.stringify(effect), effect);
    }
    if (!this.isRunning && this.pending.size > 0) {
      void this.run();
    }
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.pending.size > 0) {
      await this.pause();
      const round = [...this.pending.values()];
      this.pending = new Map();
      // A request that fails is shown where its data is shown; the others go on.
      await Promise.allSettled(round.map((effect) => this.apply(effect)));
    }
    this.isRunning = false;
  }
}
