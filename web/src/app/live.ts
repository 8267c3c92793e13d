import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';

import { followEvents, type StreamState } from '../api/stream';
import { useVisible } from '../ui/media';

interface LiveState {
  stream: StreamState;
  /** When the page was last in step with the server; null before the first time. */
  lastLiveAt: number | null;
}

let state: LiveState = { stream: 'connecting', lastLiveAt: null };
const listeners = new Set<() => void>();

function setStream(stream: StreamState): void {
  state = { stream, lastLiveAt: stream === 'live' || state.stream === 'live' ? Date.now() : state.lastLiveAt };
  for (const notify of listeners) {
    notify();
  }
}

/** Follows the server's events while the page is visible: browsers allow few connections to one server. */
export function useEventStream(): void {
  const cache = useQueryClient();
  const isVisible = useVisible();
  useEffect(() => (isVisible ? followEvents(cache, setStream) : undefined), [cache, isVisible]);
}

export function useLive(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
