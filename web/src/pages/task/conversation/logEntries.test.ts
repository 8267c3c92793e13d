import { describe, expect, it } from 'vitest';

import type { LogEvent } from '../../../api/types';
import { logEntries } from './logEntries';

const events = (...list: Omit<LogEvent, 'seq'>[]): LogEvent[] =>
  list.map((event, index) => ({ seq: index + 1, ...event }));

describe('the conversation', () => {
  it('joins parts of one text and lines of one output', () => {
    const shown = logEntries(
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
    const shown = logEntries(
      events(
        {
          kind: 'tool_call',
          id: 'c1',
          name: 'Bash',
          input: { command: 'cargo test\n# all' } as Record<string, unknown> as Record<string, never>,
        },
        { kind: 'assistant', text: 'Meanwhile' },
        { kind: 'tool_result', id: 'c1', output: 'FAILED', failed: true },
      ),
    );
    expect(shown[0]).toMatchObject({ name: 'Bash', argument: 'cargo test', output: 'FAILED', hasFailed: true });
    expect(shown).toHaveLength(2);
  });

  it('keeps the result of a call that it never saw', () => {
    expect(logEntries(events({ kind: 'tool_result', id: 'lost', output: 'ok' }))).toMatchObject([{ output: 'ok' }]);
  });
});
