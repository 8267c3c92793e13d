import { describe, expect, it } from 'vitest';

import type { LogEvent } from '../../../api/types';
import { LogEntryBuilder } from './logEntries';

const events = (...list: Omit<LogEvent, 'seq'>[]): LogEvent[] =>
  list.map((event, index) => ({ seq: index + 1, ...event }));
const entriesOf = (...parts: (readonly LogEvent[])[]) => {
  const builder = new LogEntryBuilder();
  for (const part of parts) {
    builder.add(part);
  }
  return builder.list();
};

describe('the conversation', () => {
  it('joins parts of one text and lines of one output', () => {
    const shown = entriesOf(
      events(
        { kind: 'assistant', text: 'Hello ' },
        { kind: 'assistant', text: 'world', partial: true },
        { kind: 'stdout', text: 'one' },
        { kind: 'stderr', text: 'two\n' },
      ),
    );
    expect(shown).toEqual([
      { kind: 'text', seq: 1, text: 'Hello world' },
      { kind: 'output', seq: 3, text: 'one\ntwo\n' },
    ]);
  });

  it('shows a tool call with its result, whatever came between', () => {
    const [call, text, result] = events(
      { kind: 'tool_call', id: 'c1', name: 'Bash', input: { command: 'cargo test' } as never },
      { kind: 'assistant', text: 'Meanwhile' },
      { kind: 'tool_result', id: 'c1', output: 'FAILED', failed: true },
    ) as [LogEvent, LogEvent, LogEvent];
    expect(entriesOf([call, text])[0]).toMatchObject({ name: 'Bash', output: null });
    // The result may arrive with a later page of the log.
    const shown = entriesOf([call, text], [result]);
    expect(shown[0]).toMatchObject({ input: { command: 'cargo test' }, output: 'FAILED', hasFailed: true });
    expect(shown).toHaveLength(2);
  });

  it('keeps the result of a call that it never saw', () => {
    expect(entriesOf(events({ kind: 'tool_result', id: 'lost', output: 'ok' }))).toMatchObject([{ output: 'ok' }]);
  });

  it('cuts endless output into entries that can be drawn', () => {
    const line = { kind: 'stdout', text: 'x'.repeat(999) } as const;
    const shown = entriesOf(events(...Array.from({ length: 100 }, () => line)));
    expect(shown).toHaveLength(5);
  });
});
