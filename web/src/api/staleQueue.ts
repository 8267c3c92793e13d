import type { Key } from './keys';

/**
 * Collects stale keys and refreshes them in rounds: one round at a time, each waiting for its requests. A burst of
 * events then costs a few requests, a request under way is never cancelled by the next event for ever, and what
 * becomes stale during a round is refreshed by the next one.
 */
export class StaleQueue {
  private waiting = new Map<string, Key>();
  private running = false;

  constructor(
    private readonly refresh: (key: Key) => Promise<void>,
    private readonly pause: () => Promise<void>,
  ) {}

  add(stale: readonly Key[]): void {
    for (const key of stale) {
      this.waiting.set(JSON.stringify(key), key);
    }
    if (!this.running && this.waiting.size > 0) {
      void this.run();
    }
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.size > 0) {
      await this.pause();
      const round = [...this.waiting.values()];
      this.waiting = new Map();
      // A request that fails is shown where its data is shown; the others go on.
      await Promise.allSettled(round.map((key) => this.refresh(key)));
    }
    this.running = false;
  }
}
