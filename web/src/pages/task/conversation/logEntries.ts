import type { LogEvent } from '../../../api/types';

/** What the conversation shows of a log: texts joined, each tool call with its result. */
export type LogEntry =
  | { kind: 'text' | 'thinking' | 'output' | 'status'; seq: number; text: string }
  | {
      kind: 'tool';
      seq: number;
      name: string;
      argument: string;
      input: string;
      output: string | null;
      hasFailed: boolean;
    };

/** Joins the events of a log into entries. Usage and session events are facts of the execution, not of its text. */
export function logEntries(events: readonly LogEvent[]): LogEntry[] {
  const entries: LogEntry[] = [];
  const calls = new Map<string, number>();
  for (const event of events) {
    const text = event.text ?? '';
    switch (event.kind) {
      case 'assistant':
        append(entries, 'text', event, text);
        break;
      case 'thinking':
        append(entries, 'thinking', event, text);
        break;
      case 'stdout':
      case 'stderr':
        append(entries, 'output', event, text.endsWith('\n') ? text : `${text}\n`, true);
        break;
      case 'status':
        entries.push({ kind: 'status', seq: event.seq, text: event.status ?? text });
        break;
      case 'tool_call':
        if (typeof event.id === 'string') {
          calls.set(event.id, entries.length);
        }
        entries.push({
          kind: 'tool',
          seq: event.seq,
          name: event.name ?? 'Tool',
          argument: mainArgument(event.input),
          input: event.input == null ? '' : JSON.stringify(event.input, null, 2),
          output: null,
          hasFailed: false,
        });
        break;
      case 'tool_result':
        finishCall(entries, typeof event.id === 'string' ? calls.get(event.id) : undefined, event);
        break;
      case 'usage':
      case 'session':
        break;
    }
  }
  return entries;
}

function append(
  entries: LogEntry[],
  kind: 'text' | 'thinking' | 'output',
  event: LogEvent,
  text: string,
  isRun = false,
): void {
  const last = entries.at(-1);
  if (last !== undefined && last.kind === kind && (isRun || event.partial === true)) {
    entries[entries.length - 1] = { ...last, text: last.text + text };
  } else if (text !== '') {
    entries.push({ kind, seq: event.seq, text });
  }
}

function finishCall(entries: LogEntry[], at: number | undefined, event: LogEvent): void {
  const output = event.output ?? event.text ?? '';
  const call = at === undefined ? undefined : entries[at];
  if (at !== undefined && call?.kind === 'tool') {
    entries[at] = { ...call, output: (call.output ?? '') + output, hasFailed: event.failed === true };
  } else {
    const name = event.name ?? 'Result';
    entries.push({
      kind: 'tool',
      seq: event.seq,
      name,
      argument: '',
      input: '',
      output,
      hasFailed: event.failed === true,
    });
  }
}

const MAIN_ARGUMENTS = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'description'];

/** The argument that says most about a call: a command, a path or a pattern. */
function mainArgument(input: LogEvent['input']): string {
  const fields = (input ?? {}) as Readonly<Record<string, unknown>>;
  for (const name of MAIN_ARGUMENTS) {
    const value = fields[name];
    if (typeof value === 'string') {
      return value.split('\n')[0] ?? '';
    }
  }
  return '';
}
