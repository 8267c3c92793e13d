import { useEffect, useState } from 'react';

import { fetchLogEvents } from '../../../api/queries';
import type { LogEvent } from '../../../api/types';

/** How long to wait at the end of a log that still grows. */
const POLL_MS = 1_000;
/** The page stays quick with the latest events; the command line shows all of them. */
const MOST_EVENTS = 5_000;

interface LogReading {
  events: readonly LogEvent[];
  hasEnded: boolean;
  /** Earlier events were dropped to keep the page quick. */
  isCut: boolean;
  failure: Error | null;
}

const UNREAD: LogReading = { events: [], hasEnded: false, isCut: false, failure: null };

/** Reads the log of an execution to its end, or for as long as it is shown. */
export function useLogEvents(execution: string, isWanted: boolean): LogReading {
  const [reading, setReading] = useState(UNREAD);
  useEffect(() => {
    if (!isWanted) {
      return undefined;
    }
    const stop = new AbortController();
    const follow = async () => {
      let after = 0;
      let hasEnded = false;
      setReading(UNREAD);
      while (!stop.signal.aborted && !hasEnded) {
        const page = await fetchLogEvents(execution, after, stop.signal);
        const hasGrown = page.events.length > 0;
        after = page.next;
        hasEnded = page.end;
        setReading((before) => {
          const events = [...before.events, ...page.events];
          const isCut = before.isCut || events.length > MOST_EVENTS;
          return { events: events.slice(-MOST_EVENTS), hasEnded: page.end, isCut, failure: null };
        });
        if (!hasGrown && !hasEnded) {
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        }
      }
    };
    follow().catch((error: unknown) => {
      if (!stop.signal.aborted) {
        const failure = error instanceof Error ? error : new Error(String(error));
        setReading((before) => ({ ...before, failure }));
      }
    });
    return () => stop.abort();
  }, [execution, isWanted]);
  return reading;
}
