import type { Agent, AgentExecutor, NewAgent } from '../../api/types';
import { minutesText, readMinutes, readWhole } from '../../ui/numberFields';
import { readVariables, variableLines } from '../../ui/variables';
import { commaList } from '../../ui/words';
import { AGENT_KINDS, type AgentKind } from './agentKinds';
import { joinCommand, splitCommand } from './commandLine';

/** What is written in the form. */
export interface AgentFields {
  name: string;
  kind: AgentKind;
  command: string;
  policy: string;
  model: string;
  roles: string;
  limit: string;
  fallback: string;
  /** One `NAME=value` per line. */
  environment: string;
  passed: string;
  configDirectory: string;
  timeoutMinutes: string;
  quietMinutes: string;
}

export const EMPTY_AGENT: AgentFields = {
  name: '',
  kind: 'claude',
  command: '',
  policy: '',
  model: '',
  roles: '',
  limit: '',
  fallback: '',
  environment: '',
  passed: '',
  configDirectory: '',
  timeoutMinutes: '',
  quietMinutes: '',
};

export type AgentProblems = Partial<Record<keyof AgentFields, string>>;

/** What an agent is besides its kind, as the server takes it for a new one and for a change. */
type AgentRequest = Required<Pick<NewAgent, 'name' | 'executor' | 'roles'>> & {
  max_concurrent: number;
  fallback: string | null;
};

export type ReadAgentFields = { problems: AgentProblems } | { problems: null; agent: AgentRequest };

/** The form of an agent that exists. */
export function agentFields({ name, executor, roles, max_concurrent, fallback }: Agent): AgentFields {
  return {
    name,
    kind: executor.kind,
    command: joinCommand([...(executor.command ?? []), ...(executor.arguments ?? [])]),
    policy: executor.policy ?? '',
    model: executor.model ?? '',
    roles: roles.join(', '),
    limit: String(max_concurrent),
    fallback: fallback ?? '',
    environment: variableLines(executor.environment ?? {}),
    passed: (executor.pass_environment ?? []).join(', '),
    configDirectory: executor.config_directory ?? '',
    timeoutMinutes: minutesText(executor.timeout_seconds),
    quietMinutes: minutesText(executor.stalled_after_seconds),
  };
}

/**
 * The agent that the form stands for, or everything that is wrong with it. What the form does not ask for stays as
 * `known` has it.
 */
export function readAgentFields(fields: AgentFields, known?: AgentExecutor): ReadAgentFields {
  const problems: AgentProblems = {};
  const name = fields.name.trim();
  if (name === '') {
    problems.name = 'Give the agent a name.';
  } else if (name.startsWith('-')) {
    problems.name = 'A name cannot begin with `-`.';
  }
  const limit = readWhole(fields.limit);
  if (limit === undefined) {
    problems.limit = 'Write a whole number from 1.';
  }
  const words = readCommand(fields, known);
  if ('problem' in words) {
    problems.command = words.problem;
  }
  const environment = readVariables(fields.environment);
  if (environment === null) {
    problems.environment = 'Write one NAME=value per line.';
  }
  const timeout = readMinutes(fields.timeoutMinutes);
  const quiet = readMinutes(fields.quietMinutes);
  if (timeout === undefined) {
    problems.timeoutMinutes = 'Write a number of minutes.';
  }
  if (quiet === undefined) {
    problems.quietMinutes = 'Write a number of minutes.';
  }
  if (Object.keys(problems).length > 0 || 'problem' in words || environment === null) {
    return { problems };
  }
  const look = AGENT_KINDS[fields.kind];
  const policy = look.policies.find((one) => one === fields.policy);
  const model = fields.model.trim();
  const directory = fields.configDirectory.trim();
  const { command: _command, arguments: _arguments, policy: _policy, model: _model, ...kept } = known ?? {};
  const executor: AgentExecutor = {
    ...kept,
    kind: fields.kind,
    ...words,
    ...(policy === undefined ? {} : { policy }),
    ...(look.hasModel && model !== '' ? { model } : {}),
    environment,
    pass_environment: commaList(fields.passed),
    config_directory: directory === '' ? null : directory,
    timeout_seconds: timeout ?? null,
    stalled_after_seconds: quiet ?? null,
  };
  return {
    problems: null,
    agent: {
      name,
      executor,
      roles: commaList(fields.roles),
      max_concurrent: limit ?? 1,
      fallback: fields.fallback === '' ? null : fields.fallback,
    },
  };
}

type CommandWords = Pick<AgentExecutor, 'command' | 'arguments'> | { problem: string };

/** The command as it was given, as long as its text did not change: program and arguments are one line in the form. */
function readCommand({ kind, command }: AgentFields, known: AgentExecutor | undefined): CommandWords {
  if (known !== undefined && command === joinCommand([...(known.command ?? []), ...(known.arguments ?? [])])) {
    return {
      ...(known.command === undefined ? {} : { command: known.command }),
      ...(known.arguments === undefined ? {} : { arguments: known.arguments }),
    };
  }
  if (command.trim() === '' && AGENT_KINDS[kind].needsCommand !== true) {
    return {};
  }
  const split = splitCommand(command);
  return split.problem === null ? { command: split.argv } : { problem: split.problem };
}
