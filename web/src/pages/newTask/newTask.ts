import type { Agent, Assignee, NewTask, WorkflowView } from '../../api/types';
import { commaList, fullLines } from '../../ui/words';

/** What is written in the form. */
export interface NewTaskFields {
  title: string;
  description: string;
  labels: string;
  priority: string;
  checks: string;
  /** Role → agent; empty for none. */
  roles: Readonly<Record<string, string>>;
}

export const EMPTY_TASK: NewTaskFields = {
  title: '',
  description: '',
  labels: '',
  priority: '',
  checks: '',
  roles: {},
};

export interface NewTaskProblems {
  title?: string;
  priority?: string;
}

/** What is wrong with the form, by field. */
export function newTaskProblems(fields: NewTaskFields): NewTaskProblems {
  const problems: NewTaskProblems = {};
  if (fields.title.trim() === '') {
    problems.title = 'Give the task a title.';
  }
  if (!/^\s*([+-]?\d{1,9})?\s*$/.test(fields.priority)) {
    problems.priority = 'Write a whole number; higher goes first.';
  }
  return problems;
}

/** The request the form stands for; what was left empty is left to the project's defaults. */
export function newTaskRequest(fields: NewTaskFields): NewTask {
  const checks = fullLines(fields.checks);
  const roles: Record<string, Assignee> = {};
  for (const [role, agent] of Object.entries(fields.roles)) {
    if (agent !== '') {
      roles[role] = { agent_id: agent };
    }
  }
  return {
    title: fields.title.trim(),
    ...(fields.description.trim() === '' ? {} : { description: fields.description }),
    ...(fields.priority.trim() === '' ? {} : { priority: Number(fields.priority) }),
    ...(checks.length === 0 ? {} : { review_config: { ci_steps: checks } }),
    labels: commaList(fields.labels),
    roles,
  };
}

/** The roles of a workflow, in the order in which it comes to them. */
export function rolesOf(workflow: Pick<WorkflowView, 'states'>): string[] {
  return [...new Set(workflow.states.flatMap(({ role }) => (role === null ? [] : [role])))];
}

/** The agents that can take a role. */
export function candidates(agents: readonly Agent[], role: string): Agent[] {
  return agents.filter(({ roles }) => roles.length === 0 || roles.includes(role));
}
