import { describe, expect, it } from 'vitest';

import type { AgentFinding, AgentsCheck } from '../../api/types';
import { agentState, findingsOf } from './agentState';

const finding = (key: string, evidence: string): AgentFinding => ({
  age_seconds: 1,
  agent_id: 'ada',
  evidence,
  execution_id: 'e',
  key,
  project_id: 'p',
  role: 'coder',
  since: '2026-01-01T00:00:00Z',
  status: 'in_progress',
  task_id: key,
  title: 'Title',
  worktree: null,
});

const NOTHING = { running: [], stuck: [], failed: [] };

describe('the state of an agent', () => {
  it('is what holds it before what it does', () => {
    const running = [finding('T-1', 'it printed 2 lines')];
    const waiting = { reason: 'login' as const, message: 'the login expired', until: null };
    expect(agentState({ waiting, paused: true }, { ...NOTHING, running })).toEqual({
      meaning: 'needs-you',
      words: 'Signed out',
      detail: 'The login expired',
    });
  });

  it('names the quiet task first and counts each task once', () => {
    const quiet = finding('T-2', 'no output for 4 m');
    const running = [finding('T-1', 'it printed 2 lines'), quiet];
    expect(agentState({ waiting: null, paused: false }, { ...NOTHING, running, stuck: [quiet] })).toEqual({
      meaning: 'working',
      words: 'No output for 4 m',
      detail: 'T-2 Title, +1 more',
    });
  });

  it('is idle or paused without work', () => {
    expect(agentState({ waiting: null, paused: false }, NOTHING).words).toBe('Idle');
    expect(agentState({ waiting: null, paused: true }, NOTHING).words).toBe('Paused');
  });

  it('is found by the agent of the finding', () => {
    const check = { abandoned: [], failed: [finding('T-3', 'x')], running: [], stuck: [] } satisfies AgentsCheck;
    expect(findingsOf(check, 'ada').failed).toHaveLength(1);
    expect(findingsOf(check, 'ben').failed).toHaveLength(0);
  });
});
