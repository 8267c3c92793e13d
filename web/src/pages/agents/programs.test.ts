import { describe, expect, it } from 'vitest';

import type { Agent, AgentProgram } from '../../api/types';
import { freeName, programWords, unusedPrograms } from './programs';

const program = (changed: Partial<AgentProgram>): AgentProgram => ({
  kind: 'claude',
  program: 'claude',
  path: '/bin/claude',
  version: '2.3.1 (Claude Code)',
  tested_version: null,
  problem: null,
  login: 'signed_in',
  policies: [],
  ...changed,
});

describe('programs found on the server', () => {
  it('are offered once installed and not used, those signed in first', () => {
    const found = [
      program({ kind: 'codex', login: 'signed_out' }),
      program({ kind: 'amp', path: null, login: null }),
      program({ kind: 'gemini' }),
      program({}),
    ];
    const agents = [{ executor: { kind: 'claude' } }] as unknown as Agent[];
    expect(unusedPrograms(found, agents).map(({ kind }) => kind)).toEqual(['gemini', 'codex']);
  });

  it('are told by number and login', () => {
    expect(programWords(program({}))).toBe('2.3.1, signed in');
    expect(programWords(program({ version: null, login: 'unknown' }))).toBe('Installed');
    expect(programWords(program({ path: null }))).toBe('Not installed');
  });

  it('get a name that is free', () => {
    expect(freeName('claude', [{ name: 'claude-1' }, { name: 'claude-3' }])).toBe('claude-2');
  });
});
