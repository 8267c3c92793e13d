import { describe, expect, it } from 'vitest';

import type { Comment, Execution, Review } from '../../../api/types';
import { type ConversationParts, conversationRows, isOpenAtFirst } from './conversationRows';
import type { LogEntry, ToolEntry } from './logEntries';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);
const idAt = (seconds: number) => {
  const time = at(seconds).getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
};
const execution = (seconds: number) => ({ id: idAt(seconds) }) as Execution;
const review = (seconds: number) => ({ id: `r${seconds}`, started_at: at(seconds).toISOString() }) as Review;
const thread = (seconds: number) => ({
  comment: { id: `c${seconds}`, at: at(seconds).toISOString(), body: '' } as Comment,
  answers: [],
});
const tool = (seq: number, more: Partial<ToolEntry> = {}): ToolEntry => ({
  kind: 'tool',
  seq,
  name: 'Bash',
  input: {},
  output: '',
  hasFailed: false,
  ...more,
});
const text = (seq: number): LogEntry => ({ kind: 'text', seq, text: 'Hello' });
const rowsOf = (parts: Partial<ConversationParts>, entries: readonly LogEntry[] = [], earlier = 0) =>
  conversationRows({
    executions: [],
    reviews: [],
    threads: [],
    isOpen: () => true,
    readingOf: () => ({
      entries,
      earlier,
      isLoadingEarlier: false,
      hasStarted: true,
      hasEnded: true,
      failure: null,
    }),
    filter: 'conversation',
    ...parts,
  });

describe('a conversation', () => {
  it('tells executions, checks and comments in the order of time', () => {
    const rows = rowsOf({
      executions: [execution(30), execution(10)],
      reviews: [review(20)],
      threads: [thread(25), thread(5)],
      isOpen: () => false,
    });
    expect(rows.map((row) => (row.kind === 'execution' ? row.number : row.key))).toEqual([
      'description',
      'c5',
      1,
      'r20',
      'c25',
      2,
    ]);
  });

  it('puts neighbouring tool calls into one box', () => {
    const entries = [text(1), tool(2), tool(3), tool(4), text(5), tool(6)];
    const rows = rowsOf({ executions: [execution(1)] }, entries);
    expect(rows.flatMap((row) => (row.kind === 'entry' ? [row.place] : []))).toEqual([
      'only',
      'first',
      'middle',
      'last',
      'only',
      'only',
    ]);
  });

  it('shows what a filter leaves, and says so when it leaves nothing', () => {
    const executions = [execution(1)];
    const kinds = (filter: ConversationParts['filter'], entries: readonly LogEntry[]) =>
      rowsOf({ executions, filter }, entries).map(({ kind }) => kind);
    const entries = [text(1), tool(2), tool(3, { hasFailed: true })];
    expect(kinds('messages', entries)).toEqual(['description', 'execution', 'entry']);
    expect(kinds('failures', entries)).toEqual(['description', 'execution', 'entry']);
    expect(kinds('failures', [text(1)])).toEqual(['description', 'execution', 'remark']);
    expect(kinds('everything', entries)).toHaveLength(5);
  });

  it('says that nothing has started', () => {
    expect(rowsOf({}).map(({ key }) => key)).toEqual(['description', 'not-started']);
  });

  it('offers the events that were not read', () => {
    const rows = rowsOf({ executions: [execution(1)] }, [text(1_001)], 1_000);
    expect(rows[2]).toMatchObject({ kind: 'earlier', count: 1_000 });
  });

  it('opens failures and small edits', () => {
    expect(isOpenAtFirst(tool(1))).toBe(false);
    expect(isOpenAtFirst(tool(1, { hasFailed: true }))).toBe(true);
    expect(isOpenAtFirst(tool(1, { input: { old_string: 'a', new_string: 'b' } }))).toBe(true);
    expect(isOpenAtFirst(tool(1, { input: { content: 'a\n'.repeat(50) } }))).toBe(false);
    expect(isOpenAtFirst(text(1))).toBe(false);
  });
});
