import type { NewAgent } from '../../api/types';
import { commaList } from '../../ui/words';
import { splitCommand } from './commandLine';

/** What is written in the form. */
export interface NewAgentFields {
  name: string;
  command: string;
  roles: string;
  limit: string;
}

export const EMPTY_AGENT: NewAgentFields = { name: '', command: '', roles: '', limit: '' };

export interface NewAgentProblems {
  name?: string;
  command?: string;
  limit?: string;
}

export type NewAgentRequest = { problems: NewAgentProblems } | { problems: null; agent: NewAgent };

/** The request the form stands for, or what is wrong with it. */
export function newAgentRequest(fields: NewAgentFields): NewAgentRequest {
  const problems: NewAgentProblems = {};
  const name = fields.name.trim();
  if (name === '') {
    problems.name = 'Give the agent a name.';
  } else if (name.startsWith('-')) {
    problems.name = 'A name cannot begin with `-`.';
  }
  const limit = fields.limit.trim();
  if (limit !== '' && !/^[1-9]\d{0,4}$/.test(limit)) {
    problems.limit = 'Write a whole number from 1.';
  }
  const command = splitCommand(fields.command);
  if (command.problem !== null) {
    problems.command = command.problem;
  }
  if (Object.keys(problems).length > 0 || command.problem !== null) {
    return { problems };
  }
  return {
    problems: null,
    agent: {
      name,
      executor: { kind: 'shell', command: command.argv },
      roles: commaList(fields.roles),
      ...(limit === '' ? {} : { max_concurrent: Number(limit) }),
    },
  };
}
