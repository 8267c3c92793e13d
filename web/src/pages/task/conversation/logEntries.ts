import type { LogEvent } from '../../../api/types';

/** A call of a tool with its result. */
export interface ToolEntry {
  kind: 'tool';
  seq: number;
  name: string;
  input: Readonly<Record<string, unknown>>;
  /** Null while the tool runs. */
  output: string | null;
  hasFailed: boolean;
}

/** What the conversation shows of a log: texts joined, each tool call with its result. */
export type LogEntry = { kind: 'text' | 'thinking' | 'output' | 'status'; seq: number; text: string } | ToolEntry;

/** Longer output is cut into several entries, so that each can be drawn quickly. */
const MAX_OUTPUT = 20_000;

/** Joins the events of a log into entries, and goes on from where it stopped when more events arrive. */
export class LogEntryBuilder {
  private readonly entries: LogEntry[] = [];
  private readonly calls = new Map<string, number>();

  /** Usage and session events are facts of the execution, not of its text. */
  add(events: readonly LogEvent[]): void {
    for (const event of events) {
      const text = event.text ?? '';
      switch (event.kind) {
        case 'assistant':
          this.append('text', event, text);
          break;
        case 'thinking':
          this.append('thinking', event, text);
          break;
        case 'stdout':
        case 'stderr':
          this.append('output', event, text.endsWith('\n') ? text : `${text}\n`);
          break;
        case 'status':
          this.entries.push({ kind: 'status', seq: event.seq, text: event.status ?? text });
          break;
        case 'tool_call':
          this.beginCall(event);
          break;
        case 'tool_result':
          this.finishCall(event);
          break;
        case 'usage':
        case 'session':
          break;
      }
    }
  }

  /** The entries so far, as a list of its own. */
  list(): readonly LogEntry[] {
    return this.entries.slice();
  }

  private append(kind: 'text' | 'thinking' | 'output', event: LogEvent, text: string): void {
    const last = this.entries.at(-1);
    const continues = kind === 'output' ? last?.kind === 'output' && last.text.length < MAX_OUTPUT : event.partial;
    if (last !== undefined && last.kind === kind && continues === true) {
      this.entries[this.entries.length - 1] = { ...last, text: last.text + text };
    } else if (text !== '') {
      this.entries.push({ kind, seq: event.seq, text });
    }
  }

  private beginCall(event: LogEvent): void {
    if (typeof event.id === 'string') {
      this.calls.set(event.id, this.entries.length);
    }
    this.entries.push({
      kind: 'tool',
      seq: event.seq,
      name: event.name ?? 'Tool',
      input: (event.input ?? {}) as Readonly<Record<string, unknown>>,
      output: null,
      hasFailed: false,
    });
  }

  private finishCall(event: LogEvent): void {
    const output = event.output ?? event.text ?? '';
    const hasFailed = event.failed === true;
    const at = typeof event.id === 'string' ? this.calls.get(event.id) : undefined;
    const call = at === undefined ? undefined : this.entries[at];
    if (at !== undefined && call?.kind === 'tool') {
      this.entries[at] = { ...call, output: (call.output ?? '') + output, hasFailed };
    } else {
      this.entries.push({ kind: 'tool', seq: event.seq, name: event.name ?? 'Result', input: {}, output, hasFailed });
    }
  }
}
