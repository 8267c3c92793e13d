import { describe, expect, it } from 'vitest';

import type { Agent, StateView } from '../../api/types';
import { candidates, newTaskProblems, newTaskRequest, rolesOf } from './newTask';

const empty = { title: '', description: '', labels: '', priority: '', checks: '', roles: {} };

describe('T-1 a new task', () => {
  it('needs a title and a priority that is a number', () => {
    expect(newTaskProblems({ ...empty, title: '  ' })).toEqual({ title: expect.any(String) });
    expect(newTaskProblems({ ...empty, title: 'a', priority: 'high' })).toEqual({ priority: expect.any(String) });
    expect(newTaskProblems({ ...empty, title: 'a', priority: ' -3 ' })).toEqual({});
  });

  it("leaves to the project's defaults what was not written", () => {
    expect(newTaskRequest({ ...empty, title: ' Add limits ', roles: { coder: '' } })).toEqual({
      title: 'Add limits',
      labels: [],
      roles: {},
    });
  });

  it('sends everything that was written', () => {
    const fields = {
      title: 'Add limits',
      description: 'Per address.\n',
      labels: 'api, security',
      priority: '5',
      checks: 'make test\n\nmake lint\n',
      roles: { coder: 'agent-1', reviewer: '' },
    };
    expect(newTaskRequest(fields)).toEqual({
      title: 'Add limits',
      description: 'Per address.\n',
      labels: ['api', 'security'],
      priority: 5,
      review_config: { ci_steps: ['make test', 'make lint'] },
      roles: { coder: { agent_id: 'agent-1' } },
    });
  });
});

describe('roles', () => {
  it('come from the workflow, each once', () => {
    const states = [{ role: 'writer' }, { role: null }, { role: 'editor' }, { role: 'writer' }] as StateView[];
    expect(rolesOf({ states })).toEqual(['writer', 'editor']);
  });

  it('are offered to agents that can take them; an agent without a list can take any', () => {
    const agents = [
      { name: 'any', roles: [] as string[] },
      { name: 'one', roles: ['writer'] },
      { name: 'other', roles: ['editor'] },
    ] as Agent[];
    expect(candidates(agents, 'writer').map(({ name }) => name)).toEqual(['any', 'one']);
  });
});
