import { describe, expect, it } from 'vitest';

import type { Action, ActionParameter } from '../api/types';
import { actionBody, askedParameters } from './actionBody';

const parameter = (name: string, kind: ActionParameter['kind'], required = false): ActionParameter => ({
  name,
  kind,
  required,
  choices: null,
});
const action = (target: string | null, ...parameters: ActionParameter[]): Action => ({
  name: 'x',
  target,
  command: null,
  label: 'X',
  method: 'POST',
  path: '/api/v1/tasks/t1/x',
  parameters,
});
const task = { version: 7 };

describe('T-11 actions', () => {
  it('T-8 a move sends its target and the version that was read, and asks for neither', () => {
    const move = action(
      'somewhere',
      parameter('status', 'text', true),
      parameter('version', 'integer', true),
      parameter('reason', 'text'),
    );
    expect(askedParameters(move).map(({ name }) => name)).toEqual(['reason']);
    expect(actionBody(move, task, {})).toEqual({ problems: null, body: { status: 'somewhere', version: 7 } });
    expect(actionBody(move, task, { reason: ' enough ' })).toMatchObject({ body: { reason: 'enough' } });
  });

  it('leaves out what is optional and empty, so that a person can claim for themselves', () => {
    expect(actionBody(action(null, parameter('agent_id', 'agent')), task, { agent_id: '' })).toEqual({
      problems: null,
      body: {},
    });
  });

  it('refuses what is needed and missing, and numbers that are none', () => {
    const both = action(null, parameter('message', 'long_text', true), parameter('count', 'integer'));
    expect(actionBody(both, task, { message: '  ', count: '1.5' })).toEqual({
      problems: { message: expect.any(String), count: expect.any(String) },
    });
  });

  it('sends numbers and yes or no as such', () => {
    const both = action(null, parameter('count', 'integer'), parameter('reset_worktree', 'boolean'));
    expect(actionBody(both, task, { count: '3', reset_worktree: true })).toMatchObject({
      body: { count: 3, reset_worktree: true },
    });
    expect(actionBody(both, task, {})).toMatchObject({ body: { reset_worktree: false } });
  });
});
