import type { QueryClient } from '@tanstack/react-query';

import { applyEffect } from './applyEffects';
import { EffectQueue } from './effectQueue';
import { eventEffects, eventTypes } from './eventEffects';
import { keys } from './keys';
import type { Event } from './types';

/** Long enough to gather the events of one command, short enough to feel immediate. */
const GATHER_MS = 80;
/** A browser gives up on a stream that was refused once, for example while the server restarts. */
const RETRY_MS = 2_000;

export type StreamState = 'connecting' | 'live';

/** Follows the server's events and keeps the cache fresh; returns how to stop. */
export function followEvents(cache: QueryClient, onState: (state: StreamState) => void): () => void {
  const queue = new EffectQueue(
    (effect) => applyEffect(cache, effect),
    () => new Promise((resolve) => setTimeout(resolve, GATHER_MS)),
  );
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const connect = () => {
    source = new EventSource('/api/v1/events');
    source.onopen = () => {
      onState('live');
      // What changed before the stream was open was not told. Requests under way are fresh enough.
      void cache.invalidateQueries({}, { cancelRefetch: false });
    };
    source.onerror = () => {
      onState('connecting');
      if (source?.readyState === EventSource.CLOSED) {
        // If the session has ended, this leads to the sign-in page.
        void cache.invalidateQueries({ queryKey: keys.me() });
        retry = setTimeout(connect, RETRY_MS);
      }
    };
    for (const type of eventTypes) {
      source.addEventListener(type, (message: MessageEvent<string>) => {
        const event = JSON.parse(message.data) as Event;
        queue.add(eventEffects[type](event));
      });
    }
  };

  connect();
  return () => {
    clearTimeout(retry);
    source?.close();
  };
}
