import { useSyncExternalStore } from 'react';

const STEP_MS = 15_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const notify of listeners) {
      notify();
    }
  }, STEP_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The present time in milliseconds. One timer serves every age on the page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
