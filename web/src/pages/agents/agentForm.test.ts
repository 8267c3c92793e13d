import { describe, expect, it } from 'vitest';

import type { Agent } from '../../api/types';
import { agentFields, EMPTY_AGENT, readAgentFields } from './agentForm';

const READ_LIMITS = { config_directory: null, timeout_seconds: null, stalled_after_seconds: null };

describe('the form of an agent', () => {
  it('makes a shell agent with the command as a list', () => {
    const fields = {
      ...EMPTY_AGENT,
      name: ' ann ',
      kind: 'shell' as const,
      command: "sh -c 'make all'",
      roles: 'coder, reviewer',
      limit: '2',
    };
    expect(readAgentFields(fields)).toEqual({
      problems: null,
      agent: {
        name: 'ann',
        executor: {
          kind: 'shell',
          command: ['sh', '-c', 'make all'],
          environment: {},
          pass_environment: [],
          ...READ_LIMITS,
        },
        roles: ['coder', 'reviewer'],
        max_concurrent: 2,
        fallback: null,
      },
    });
  });

  it('needs no command where the kind has a program, and drops what the kind does not know', () => {
    const fields = { ...EMPTY_AGENT, name: 'amp-1', kind: 'amp' as const, policy: 'plan', model: 'x' };
    const read = readAgentFields(fields);
    expect(read.problems).toBeNull();
    expect(read.problems === null ? read.agent.executor : {}).not.toMatchObject({ policy: 'plan' });
    expect(read.problems === null ? Object.keys(read.agent.executor) : []).not.toContain('command');
  });

  it('tells every problem at once', () => {
    const fields = {
      ...EMPTY_AGENT,
      name: '-x',
      kind: 'shell' as const,
      limit: '0',
      environment: 'no value',
      timeoutMinutes: 'soon',
      quietMinutes: '-1',
    };
    expect(Object.keys(readAgentFields(fields).problems ?? {}).toSorted()).toEqual([
      'command',
      'environment',
      'limit',
      'name',
      'quietMinutes',
      'timeoutMinutes',
    ]);
  });

  it('keeps what it does not ask for, arguments apart from the program, and hidden values', () => {
    const executor: Agent['executor'] = {
      kind: 'codex',
      command: ['npx', 'codex'],
      arguments: ['--search'],
      policy: 'edit',
      environment: { OPENAI_API_KEY: '[redacted]' },
      timeout_seconds: 90,
      stopped_after_seconds: 600,
      prompt: null,
    };
    const agent = { name: 'codex-1', executor, roles: [], max_concurrent: 3, fallback: null } as unknown as Agent;
    const fields = agentFields(agent);
    expect(fields).toMatchObject({
      command: 'npx codex --search',
      environment: 'OPENAI_API_KEY=[redacted]',
      timeoutMinutes: '1.5',
    });
    expect(readAgentFields(fields, executor)).toEqual({
      problems: null,
      agent: {
        name: 'codex-1',
        executor: { ...executor, pass_environment: [], config_directory: null, stalled_after_seconds: null },
        roles: [],
        max_concurrent: 3,
        fallback: null,
      },
    });
  });
});
