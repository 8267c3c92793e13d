import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { answer, client } from './client';
import { Failure } from './failure';
import { keys } from './keys';
import { everyItem } from './pages';
import { isFinished } from './phases';
import type { TaskListFilter } from './taskLists';
import type { DiffScope, JournalAgainst, Me, Phase, Repo, Review, StepResult } from './types';

const BOARD_PAGE = 100;
const SEARCH_RESULTS = 8;
const FIRST_TASKS = 50;
const PROGRAMS_STALE_MS = 300_000;

const byId = (id: string) => ({ path: { id } });

/** The signed-in user; null when there is none, which is an answer and not an error. */
export const meQuery = () =>
  queryOptions({
    queryKey: keys.me(),
    queryFn: ({ signal }): Promise<Me | null> =>
      answer(client.GET('/api/v1/auth/me', { signal })).catch((error: unknown) => {
        if (error instanceof Failure && error.isUnauthorized) {
          return null;
        }
        throw error;
      }),
  });

/** The user's own tokens. No event tells of them and `forge login` makes some too, so every look asks again. */
export const tokensQuery = () =>
  queryOptions({
    queryKey: keys.tokens(),
    queryFn: ({ signal }) => everyItem((query) => answer(client.GET('/api/v1/tokens', { params: { query }, signal }))),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });

export const agentsQuery = () =>
  queryOptions({
    queryKey: keys.agents(),
    queryFn: ({ signal }) => everyItem((query) => answer(client.GET('/api/v1/agents', { params: { query }, signal }))),
  });

/** One agent, removed or not. */
export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: keys.agent(id),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/agents/{id}', { params: { path: { id } }, signal })),
  });

/** What every agent does now, with the evidence for it. */
export const agentsCheckQuery = () =>
  queryOptions({
    queryKey: keys.agentsCheck(),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/agents/check', { signal })),
  });

/** The agent programs that the server finds. Asking runs each of them, so the answer is kept for a while. */
export const agentProgramsQuery = () =>
  queryOptions({
    queryKey: ['agent-programs'] as const,
    queryFn: async ({ signal }) => (await answer(client.GET('/api/v1/agents/programs', { signal }))).items,
    staleTime: PROGRAMS_STALE_MS,
    refetchOnWindowFocus: false,
  });

/** The variables that an agent gets, by name. */
export const agentEnvironmentQuery = (agent: string) =>
  queryOptions({
    queryKey: [...keys.agents(), agent, 'environment'] as const,
    queryFn: ({ signal }) => answer(client.GET('/api/v1/agents/{id}/environment', { params: byId(agent), signal })),
  });

/** Tokens and cost of all executions of an agent. */
export const agentUsageQuery = (agent: string) =>
  queryOptions({
    queryKey: ['agent-usage', agent] as const,
    queryFn: ({ signal }) => answer(client.GET('/api/v1/agents/{id}/usage', { params: byId(agent), signal })),
    staleTime: 0,
  });

export const projectsQuery = () =>
  queryOptions({
    queryKey: keys.projects(),
    queryFn: ({ signal }) =>
      everyItem((query) => answer(client.GET('/api/v1/projects', { params: { query }, signal }))),
  });

export const reposQuery = (project: string) =>
  queryOptions({
    queryKey: keys.repos(project),
    queryFn: ({ signal }) =>
      everyItem((query) =>
        answer(client.GET('/api/v1/projects/{id}/repos', { params: { path: { id: project }, query }, signal })),
      ),
  });

/** Where a repository is pushed and fetched; without its token. */
export const repoRemoteQuery = ({ project_id, id }: Repo) =>
  queryOptions({
    queryKey: [...keys.remote(project_id), id] as const,
    queryFn: ({ signal }) =>
      answer(
        client.GET('/api/v1/projects/{id}/repos/{repo}/remote', {
          params: { path: { id: project_id, repo: id } },
          signal,
        }),
      ),
  });

/** How the git settings of a repository differ from the copy that the server made. */
export const repoConfigQuery = ({ project_id, id }: Repo) =>
  queryOptions({
    queryKey: [...keys.remote(project_id), id, 'config'] as const,
    queryFn: ({ signal }) =>
      answer(
        client.GET('/api/v1/projects/{id}/repos/{repo}/config', {
          params: { path: { id: project_id, repo: id } },
          signal,
        }),
      ),
    staleTime: 0,
  });

export const membersQuery = (project: string) =>
  queryOptions({
    queryKey: keys.members(project),
    queryFn: ({ signal }) =>
      everyItem((query) =>
        answer(client.GET('/api/v1/projects/{id}/members', { params: { path: { id: project }, query }, signal })),
      ),
  });

export const usersQuery = () =>
  queryOptions({
    queryKey: keys.users(),
    queryFn: ({ signal }) => everyItem((query) => answer(client.GET('/api/v1/users', { params: { query }, signal }))),
    staleTime: 0,
  });

export const systemInfoQuery = () =>
  queryOptions({
    queryKey: ['system-info'] as const,
    queryFn: ({ signal }) => answer(client.GET('/api/v1/system/info', { signal })),
  });

/** What the last start of the server recovered. */
export const recoveryQuery = () =>
  queryOptions({
    queryKey: ['recovery'] as const,
    queryFn: ({ signal }) => answer(client.GET('/api/v1/system/recovery', { signal })),
  });

/** Whether the server assigns work. No event tells what the machine lacks, so every look asks again. */
export const dispatchQuery = () =>
  queryOptions({
    queryKey: keys.dispatch(),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/system/dispatch', { signal })),
    staleTime: 0,
  });

export const workspacesQuery = () =>
  queryOptions({
    queryKey: keys.workspaces(),
    queryFn: ({ signal }) =>
      everyItem((query) => answer(client.GET('/api/v1/workspaces', { params: { query }, signal }))),
    staleTime: 0,
  });

/** The directories that belong to no live task. */
export const orphansQuery = () =>
  queryOptions({
    queryKey: [...keys.workspaces(), 'orphans'] as const,
    queryFn: async ({ signal }) => (await answer(client.GET('/api/v1/workspaces/orphans', { signal }))).items,
    staleTime: 0,
  });

/** The workflows that every project can choose. */
export const workflowTemplatesQuery = () =>
  queryOptions({
    queryKey: ['workflow-templates'] as const,
    queryFn: async ({ signal }) => (await answer(client.GET('/api/v1/workflows', { signal }))).items,
  });

/** How many tasks each phase and each state has, however many pages their lists are. */
export const taskCountsQuery = (project: string) =>
  queryOptions({
    queryKey: keys.counts(project),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/projects/{id}/task-counts', { params: byId(project), signal })),
  });

export const workflowQuery = (project: string) =>
  queryOptions({
    queryKey: keys.workflow(project),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/projects/{id}/workflow', { params: byId(project), signal })),
  });

/** One list of a project's tasks: those of a phase, further filtered by what is given. */
export const tasksQuery = (project: string, filter: TaskListFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.tasks(project), filter] as const,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const { phase, text, label, agent } = filter;
      const query = {
        limit: BOARD_PAGE,
        phase,
        // What is done is read by time, what is to be done by urgency.
        sort: isFinished(phase) ? ('updated' as const) : ('priority' as const),
        order: 'desc' as const,
        ...(text === undefined || text === '' ? {} : { text }),
        ...(label === undefined ? {} : { label }),
        ...(agent === undefined ? {} : { agent }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      };
      return answer(client.GET('/api/v1/projects/{id}/tasks', { params: { path: { id: project }, query }, signal }));
    },
    getNextPageParam: (page) => page.next_cursor,
  });

/** The first tasks of one phase of a project, for lists over all projects. */
export const firstTasksQuery = (project: string, phase: Phase) =>
  queryOptions({
    queryKey: [...keys.firstTasks(project), { phase }] as const,
    queryFn: ({ signal }) => {
      const sort = isFinished(phase) ? ('updated' as const) : ('priority' as const);
      const query = { phase, sort, order: 'desc' as const, limit: FIRST_TASKS };
      return answer(client.GET('/api/v1/projects/{id}/tasks', { params: { path: { id: project }, query }, signal }));
    },
  });

/** The tasks of a project that match a text; `T-12` finds the task of that key. */
export const taskSearchQuery = (project: string, text: string) =>
  queryOptions({
    queryKey: ['task-search', project, text] as const,
    queryFn: async ({ signal }) => {
      const number = /^t-(\d{1,9})$/i.exec(text)?.[1];
      if (number !== undefined) {
        const path = { id: project, number: Number(number) };
        const found = await answer(
          client.GET('/api/v1/projects/{id}/tasks/by-number/{number}', { params: { path }, signal }),
        ).catch(ignoreMissing);
        return found === null ? [] : [found];
      }
      const params = { path: { id: project }, query: { text, limit: SEARCH_RESULTS } };
      return (await answer(client.GET('/api/v1/projects/{id}/tasks', { params, signal }))).items;
    },
    staleTime: 0,
  });

function ignoreMissing(error: unknown): null {
  if (error instanceof Failure && error.status === 404) {
    return null;
  }
  throw error;
}

/** A task by the number in its key. */
export const taskByNumberQuery = (project: string, number: string) =>
  queryOptions({
    queryKey: keys.taskByNumber(project, number),
    queryFn: async ({ signal }) => {
      const path = { id: project, number: Number(number) };
      return (await answer(client.GET('/api/v1/projects/{id}/tasks/by-number/{number}', { params: { path }, signal })))
        .id;
    },
  });

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: keys.task(id),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/tasks/{id}', { params: byId(id), signal })),
  });

/** Why each of a project's queued tasks waits. */
export const waitingQuery = (project: string) =>
  queryOptions({
    queryKey: keys.waiting(project),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/projects/{id}/waiting', { params: byId(project), signal })),
  });

/** What needs a person, over all projects. */
export const needsPersonQuery = () =>
  queryOptions({
    queryKey: keys.needsPerson(),
    queryFn: ({ signal }) =>
      everyItem((page) => answer(client.GET('/api/v1/needs-person', { params: { query: page }, signal }))),
  });

/** The live branches of a project and which of them conflict. A new branch without a conflict is no event, so every look asks again. */
export const conflictsQuery = (project: string) =>
  queryOptions({
    queryKey: keys.conflicts(project),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/projects/{id}/conflicts', { params: byId(project), signal })),
    staleTime: 0,
  });

/** The landings of a project that wait or are tested. */
export const trainQuery = (project: string) =>
  queryOptions({
    queryKey: keys.train(project),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/projects/{id}/train', { params: byId(project), signal })),
    staleTime: 0,
  });

export const whyQuery = (task: string) =>
  queryOptions({
    queryKey: keys.why(task),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/tasks/{id}/why', { params: byId(task), signal })),
  });

export const actionsQuery = (task: string) =>
  queryOptions({
    queryKey: keys.actions(task),
    queryFn: async ({ signal }) =>
      (await answer(client.GET('/api/v1/tasks/{id}/actions', { params: byId(task), signal }))).items,
  });

export const transitionsQuery = (task: string) =>
  queryOptions({
    queryKey: keys.transitions(task),
    queryFn: ({ signal }) =>
      everyItem((query) =>
        answer(client.GET('/api/v1/tasks/{id}/transitions', { params: { path: { id: task }, query }, signal })),
      ),
  });

export const stepsQuery = (task: string) =>
  queryOptions({
    queryKey: keys.effects(task),
    queryFn: ({ signal }) =>
      everyItem((query) =>
        answer(client.GET('/api/v1/tasks/{id}/effects', { params: { path: { id: task }, query }, signal })),
      ),
  });

export const reviewsQuery = (task: string) =>
  queryOptions({
    queryKey: keys.reviews(task),
    queryFn: ({ signal }) =>
      everyItem((query) =>
        answer(client.GET('/api/v1/tasks/{id}/reviews', { params: { path: { id: task }, query }, signal })),
      ),
  });

/** A check that prints more is shown from here to its end. */
const MAX_CHECK_LOG = 1_000_000;
/** Nothing tells of the output of a running check. */
const CHECK_LOG_POLL_MS = 1_500;

/** The output of a check; without a result, that of the one that runs now. */
export const reviewLogQuery = (review: Review, step: StepResult | null) => {
  const begin = step?.log_from ?? review.step_results.at(-1)?.log_to ?? 0;
  const from = step === null ? begin : Math.max(begin, step.log_to - MAX_CHECK_LOG);
  return queryOptions({
    queryKey: ['review-log', review.id, from, step?.log_to ?? null] as const,
    queryFn: async ({ signal }) => {
      if (step !== null && step.log_to <= from) {
        return { text: '', isCut: false };
      }
      const query = { from, limit: step === null ? MAX_CHECK_LOG : step.log_to - from };
      const page = await answer(
        client.GET('/api/v1/reviews/{id}/log', { params: { path: { id: review.id }, query }, signal }),
      );
      return { text: page.text, isCut: from > begin };
    },
    ...(step === null ? { staleTime: 0, refetchInterval: CHECK_LOG_POLL_MS } : {}),
  });
};

/** How often the checks of a project failed on trials of its merge train. */
export const checkRecordsQuery = (project: string) =>
  queryOptions({
    queryKey: ['check-records', project] as const,
    queryFn: ({ signal }) => answer(client.GET('/api/v1/projects/{id}/checks', { params: byId(project), signal })),
    staleTime: 0,
  });

export const executionsQuery = (task: string) =>
  queryOptions({
    queryKey: keys.executions(task),
    queryFn: ({ signal }) =>
      everyItem((query) =>
        answer(client.GET('/api/v1/tasks/{id}/executions', { params: { path: { id: task }, query }, signal })),
      ),
  });

export const workspaceQuery = (task: string) =>
  queryOptions({
    queryKey: keys.workspace(task),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/tasks/{id}/workspace', { params: byId(task), signal })),
  });

export const diffQuery = (task: string, scope: DiffScope) =>
  queryOptions({
    queryKey: [...keys.diff(task), scope],
    queryFn: async ({ signal }) => {
      const diff = await answer(
        client.GET('/api/v1/tasks/{id}/diff', {
          params: { path: { id: task }, query: { scope, format: 'json' } },
          signal,
        }),
      );
      if (typeof diff === 'string') {
        throw new TypeError('The server sent a patch although JSON was asked for.');
      }
      return diff;
    },
  });

export const dependenciesQuery = (task: string) =>
  queryOptions({
    queryKey: keys.dependencies(task),
    queryFn: ({ signal }) =>
      everyItem((query) =>
        answer(client.GET('/api/v1/tasks/{id}/dependencies', { params: { path: { id: task }, query }, signal })),
      ),
  });

export const subtasksQuery = (task: string) =>
  queryOptions({
    queryKey: keys.subtasks(task),
    queryFn: ({ signal }) =>
      everyItem((query) =>
        answer(client.GET('/api/v1/tasks/{id}/subtasks', { params: { path: { id: task }, query }, signal })),
      ),
  });

export const commentsQuery = (task: string) =>
  queryOptions({
    queryKey: keys.comments(task),
    queryFn: ({ signal }) =>
      everyItem((query) =>
        answer(client.GET('/api/v1/tasks/{id}/comments', { params: { path: { id: task }, query }, signal })),
      ),
  });

/** A part of a raw log. Not cached: the reader keeps what it read of a growing file. */
export const fetchLog = (execution: string, from: number, signal: AbortSignal) =>
  answer(
    client.GET('/api/v1/executions/{id}/log/raw', { params: { path: { id: execution }, query: { from } }, signal }),
  );

/** Which part of an execution's log: what follows an event, or the end. */
export interface LogRange {
  after?: number;
  limit?: number;
  tail?: number;
}

/** The normalised events of an execution's log. */
export const fetchLogEvents = (execution: string, range: LogRange, signal: AbortSignal) =>
  answer(client.GET('/api/v1/executions/{id}/log', { params: { path: { id: execution }, query: range }, signal }));

export const usageQuery = (task: string) =>
  queryOptions({
    queryKey: keys.usage(task),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/tasks/{id}/usage', { params: byId(task), signal })),
  });

export const journalQuery = (task: string) =>
  queryOptions({
    queryKey: keys.journal(task),
    queryFn: ({ signal }) =>
      everyItem((query) =>
        answer(client.GET('/api/v1/tasks/{id}/journal', { params: { path: { id: task }, query }, signal })),
      ),
  });

/** How the files of a journal entry differ from another state. */
export const journalDiffQuery = (task: string, number: number, against: JournalAgainst) =>
  queryOptions({
    queryKey: [...keys.journal(task), 'diff', number, against] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { id: task, number }, query: { against, format: 'json' } } as const;
      const diff = await answer(client.GET('/api/v1/tasks/{id}/journal/{number}/diff', { params, signal }));
      if (typeof diff === 'string') {
        throw new TypeError('The server sent a patch although JSON was asked for.');
      }
      return diff;
    },
    // The present files change without an entry of the journal.
    ...(against === 'files' ? { staleTime: 0 } : {}),
  });

/** The prompt that the agent of a role would get now; without a role, that of the present state. */
export const promptQuery = (task: string, role: string | undefined) =>
  queryOptions({
    queryKey: [...keys.prompt(task), role ?? ''] as const,
    queryFn: ({ signal }) =>
      answer(
        client.GET('/api/v1/tasks/{id}/prompt', {
          params: { path: { id: task }, query: role === undefined ? {} : { role } },
          signal,
        }),
      ),
  });
