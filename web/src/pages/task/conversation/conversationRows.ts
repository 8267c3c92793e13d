import type { Execution, Review } from '../../../api/types';
import type { LogEntry } from './logEntries';
import type { LogReading } from './logReader';
import type { Thread } from './thread';
import { editsOf } from './toolWords';

/** Which entries of the logs are shown. */
export const ENTRY_FILTERS = ['conversation', 'messages', 'tools', 'failures', 'everything'] as const;
export type EntryFilter = (typeof ENTRY_FILTERS)[number];

/** Where an entry is among neighbouring tool calls, which share a box. */
export type BoxPlace = 'only' | 'first' | 'middle' | 'last';

/** One row of a task's conversation. */
export type ConversationRow =
  | { kind: 'description'; key: string }
  | { kind: 'execution'; key: string; execution: Execution; number: number; isOpen: boolean }
  | { kind: 'earlier'; key: string; execution: string; count: number; isLoading: boolean }
  | { kind: 'entry'; key: string; entry: LogEntry; place: BoxPlace }
  | { kind: 'remark'; key: string; text: string }
  | { kind: 'failure'; key: string; failure: Error }
  | { kind: 'attempt'; key: string; review: Review }
  | { kind: 'comment'; key: string; thread: Thread };

export interface ConversationParts {
  executions: readonly Execution[];
  reviews: readonly Review[];
  threads: readonly Thread[];
  isOpen: (execution: string) => boolean;
  readingOf: (execution: string) => LogReading | undefined;
  filter: EntryFilter;
}

/** Everything that happened, in the order of time. */
export function conversationRows(parts: ConversationParts): ConversationRow[] {
  const ordered = parts.executions.toSorted((one, other) => one.id.localeCompare(other.id));
  const timed: { at: number; rows: readonly ConversationRow[] }[] = [
    ...ordered.map((execution, index) => ({
      at: createdAt(execution.id),
      rows: executionRows(execution, index + 1, parts),
    })),
    ...parts.reviews.map((review) => ({
      at: Date.parse(review.started_at),
      rows: [{ kind: 'attempt' as const, key: review.id, review }],
    })),
    ...parts.threads.map((thread) => ({
      at: Date.parse(thread.comment.at),
      rows: [{ kind: 'comment' as const, key: thread.comment.id, thread }],
    })),
  ];
  const notStarted: ConversationRow[] =
    ordered.length > 0
      ? []
      : [{ kind: 'remark', key: 'not-started', text: 'Not started. The agent will get this prompt.' }];
  return [
    { kind: 'description', key: 'description' },
    ...notStarted,
    ...timed.toSorted((one, other) => one.at - other.at).flatMap(({ rows }) => rows),
  ];
}

/** Identifiers are UUIDv7: they begin with the time in milliseconds. */
function createdAt(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

function executionRows(execution: Execution, number: number, parts: ConversationParts): ConversationRow[] {
  const { id } = execution;
  const isOpen = parts.isOpen(id);
  const head: ConversationRow = { kind: 'execution', key: id, execution, number, isOpen };
  const reading = isOpen ? parts.readingOf(id) : undefined;
  if (reading === undefined) {
    return [head];
  }
  const { entries, earlier, isLoadingEarlier, failure, hasStarted, hasEnded } = reading;
  const shown = entries.filter((entry) => isShown(entry, parts.filter));
  const rows: ConversationRow[] = [head];
  if (earlier > 0) {
    rows.push({ kind: 'earlier', key: `${id} earlier`, execution: id, count: earlier, isLoading: isLoadingEarlier });
  }
  shown.forEach((entry, index) => {
    rows.push({ kind: 'entry', key: `${id} ${entry.seq}`, entry, place: placeOf(shown, index) });
  });
  if (hasStarted && shown.length === 0) {
    const text = entries.length > 0 ? 'Nothing here matches the filter.' : hasEnded ? 'No output.' : 'No output yet.';
    rows.push({ kind: 'remark', key: `${id} remark`, text });
  }
  if (failure !== null) {
    rows.push({ kind: 'failure', key: `${id} failure`, failure });
  }
  return rows;
}

function isShown(entry: LogEntry, filter: EntryFilter): boolean {
  switch (filter) {
    case 'everything':
      return true;
    case 'conversation':
      return entry.kind !== 'status';
    case 'messages':
      return entry.kind === 'text';
    case 'tools':
      return entry.kind === 'tool';
    case 'failures':
      return entry.kind === 'tool' && entry.hasFailed;
  }
}

function placeOf(entries: readonly LogEntry[], index: number): BoxPlace {
  if (entries[index]?.kind !== 'tool') {
    return 'only';
  }
  const isAfter = entries[index - 1]?.kind === 'tool';
  const isBefore = entries[index + 1]?.kind === 'tool';
  return isAfter ? (isBefore ? 'middle' : 'last') : isBefore ? 'first' : 'only';
}

/** More lines would push the rest of the conversation out of sight. */
const MAX_OPEN_LINES = 16;

/** Whether an entry is open until the user folds or opens it: failures and small edits are open. */
export function isOpenAtFirst(entry: LogEntry): boolean {
  if (entry.kind !== 'tool') {
    return false;
  }
  const edits = editsOf(entry);
  const lines = edits.reduce((sum, { before, after }) => sum + before.split('\n').length + after.split('\n').length, 0);
  return entry.hasFailed || (edits.length > 0 && lines <= MAX_OPEN_LINES);
}

/** The text of a row in which to search. */
export function rowText(row: ConversationRow): string {
  switch (row.kind) {
    case 'entry':
      return row.entry.kind === 'tool'
        ? `${row.entry.name} ${JSON.stringify(row.entry.input)} ${row.entry.output ?? ''}`
        : row.entry.text;
    case 'comment':
      return row.thread.comment.body;
    default:
      return '';
  }
}
