import { describe, expect, it } from 'vitest';

import { newAgentRequest } from './newAgent';

describe('a new agent', () => {
  it('is a shell agent with the command as a list', () => {
    const fields = { name: ' ann ', command: "sh -c 'make all'", roles: 'coder, reviewer', limit: '2' };
    expect(newAgentRequest(fields)).toEqual({
      problems: null,
      agent: {
        name: 'ann',
        executor: { kind: 'shell', command: ['sh', '-c', 'make all'] },
        roles: ['coder', 'reviewer'],
        max_concurrent: 2,
      },
    });
  });

  it('is refused with every problem at once', () => {
    expect(newAgentRequest({ name: '-x', command: '', roles: '', limit: '0' })).toEqual({
      problems: { name: expect.any(String), command: expect.any(String), limit: expect.any(String) },
    });
  });
});
