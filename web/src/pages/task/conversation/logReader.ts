import { fetchLogEvents } from '../../../api/queries';
import type { LogEvent, LogEventPage } from '../../../api/types';
import { type LogEntry, LogEntryBuilder } from './logEntries';

/** How long to wait at the end of a log that still grows, and after a failure. */
const POLL_MS = 1_000;
const RETRY_MS = 3_000;
/** How many events one request reads; the end comes first. */
const PAGE = 1_000;

/** What is known of the log of one execution. */
export interface LogReading {
  entries: readonly LogEntry[];
  /** Events before the first that was read. */
  earlier: number;
  isLoadingEarlier: boolean;
  hasStarted: boolean;
  hasEnded: boolean;
  failure: Error | null;
}

export type ReadLog = (
  range: { after?: number; limit?: number; tail?: number },
  signal: AbortSignal,
) => Promise<Pick<LogEventPage, 'events' | 'end' | 'next'>>;

const UNREAD: LogReading = {
  entries: [],
  earlier: 0,
  isLoadingEarlier: false,
  hasStarted: false,
  hasEnded: false,
  failure: null,
};

/** Reads the log of an execution: its end first, then what follows; what came earlier on request. */
export class LogReader {
  reading = UNREAD;
  private events: LogEvent[] = [];
  private builder = new LogEntryBuilder();
  private readonly stopped = new AbortController();

  constructor(
    private readonly read: ReadLog,
    private readonly onChange: () => void,
  ) {}

  static ofExecution(execution: string, onChange: () => void): LogReader {
    return new LogReader((range, signal) => fetchLogEvents(execution, range, signal), onChange);
  }

  start(): void {
    void this.follow();
  }

  stop(): void {
    this.stopped.abort();
  }

  /** Reads the events before the first one; all of them if asked to. */
  async loadEarlier(isAll = false): Promise<void> {
    const { signal } = this.stopped;
    if (this.reading.isLoadingEarlier) {
      return;
    }
    this.change({ isLoadingEarlier: true });
    try {
      const pages: LogEvent[][] = [];
      let end = this.reading.earlier;
      do {
        const after = Math.max(0, end - PAGE);
        const page = await this.read({ after, limit: end - after }, signal);
        const limit = end;
        pages.unshift(page.events.filter(({ seq }) => seq <= limit));
        end = page.events.length === 0 ? 0 : after;
      } while (isAll && end > 0 && !signal.aborted);
      this.events = [...pages.flat(), ...this.events];
      // Texts and calls can begin in one page and end in the next, so entries are joined anew.
      this.builder = new LogEntryBuilder();
      this.builder.add(this.events);
      this.change({ entries: this.builder.list(), earlier: end, failure: null });
    } catch (error) {
      this.fail(error);
    } finally {
      this.change({ isLoadingEarlier: false });
    }
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopped;
    let after: number | null = null;
    while (!signal.aborted && !this.reading.hasEnded) {
      try {
        const page = await this.read(after === null ? { tail: PAGE } : { after, limit: PAGE }, signal);
        const first = page.events[0];
        if (after === null && first !== undefined) {
          this.change({ earlier: first.seq - 1 });
        }
        after = page.next;
        this.events.push(...page.events);
        this.builder.add(page.events);
        const { entries } = this.reading;
        this.change({
          entries: page.events.length === 0 ? entries : this.builder.list(),
          hasStarted: true,
          hasEnded: page.end,
          failure: null,
        });
        if (page.events.length === 0 && !page.end) {
          await pause(POLL_MS, signal);
        }
      } catch (error) {
        this.fail(error);
        await pause(RETRY_MS, signal);
      }
    }
  }

  private fail(error: unknown): void {
    this.change({ failure: error instanceof Error ? error : new Error(String(error)) });
  }

  private change(changed: Partial<LogReading>): void {
    if (!this.stopped.signal.aborted) {
      this.reading = { ...this.reading, ...changed };
      this.onChange();
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
