import { describe, expect, it } from 'vitest';

import type { ToolEntry } from './logEntries';
import { toolLine } from './toolWords';

const call = (name: string, input: Record<string, unknown>, output: string | null, hasFailed = false): ToolEntry => ({
  kind: 'tool',
  seq: 1,
  name,
  input,
  output,
  hasFailed,
});
const told = (entry: ToolEntry) => toolLine(entry, '/workspaces/T-1');
const words = (text: string, tone: string) => ({ kind: 'words', text, tone });

describe('a tool call in one line', () => {
  it('names files from the workspace and counts what an edit changed', () => {
    const edit = call(
      'Edit',
      { file_path: '/workspaces/T-1/src/a.rs', old_string: 'a\nb', new_string: 'a\nc\nd' },
      'done',
    );
    expect(told(edit)).toEqual({
      kind: 'edit',
      verb: 'Edit',
      argument: 'src/a.rs',
      result: { kind: 'diffstat', added: 2, removed: 1 },
    });
    expect(told(call('Write', { file_path: 'b.rs', content: 'a\nb\n' }, 'ok')).result).toMatchObject({ added: 2 });
  });

  it('says how a command ended', () => {
    const run = (output: string | null, hasFailed = false) =>
      told(call('Bash', { command: 'cargo test\n# all' }, output, hasFailed));
    expect(run(null)).toMatchObject({ verb: 'Run', argument: 'cargo test', result: { kind: 'running' } });
    expect(run('\u001b[31mFAILED\u001b[0m\nExit code 101', true).result).toEqual(words('exit 101', 'bad'));
    expect(run('no such file', true).result).toEqual(words('failed', 'bad'));
    expect(run('test result: ok. 312 passed; 0 failed').result).toEqual(words('312 passed', 'good'));
    expect(run('').result).toEqual(words('no output', 'plain'));
    expect(told(call('shell', { command: ['git', 'status'] }, '')).argument).toBe('git status');
  });

  it('counts matches and lines', () => {
    expect(told(call('Grep', { pattern: 'x' }, 'a.rs:1:x\na.rs:9:x\nb.rs:2:x')).result).toEqual(
      words('2 files, 3 matches', 'plain'),
    );
    expect(told(call('Read', { path: 'a.rs' }, '1 x\n2 y\n')).result).toEqual(words('2 lines', 'plain'));
  });

  it('shows a tool that it does not know by its own name', () => {
    expect(told(call('mcp__calendar', { query: 'today' }, 'ok'))).toMatchObject({
      verb: 'mcp__calendar',
      argument: 'today',
      result: words('finished', 'plain'),
    });
  });
});
