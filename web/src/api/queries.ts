import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { answer, client } from './client';
import { Failure } from './failure';
import { keys } from './keys';
import { everyItem } from './pages';
import type { DiffScope, Me } from './types';

const BOARD_PAGE = 100;

const byId = (id: string) => ({ path: { id } });

/** Who is signed in; null is nobody, which is an answer and not an error. */
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

/** One's own tokens. No event tells of them and `forge login` makes some too, so every look asks anew. */
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

export const projectsQuery = () =>
  queryOptions({
    queryKey: keys.projects(),
    queryFn: ({ signal }) =>
      everyItem((query) => answer(client.GET('/api/v1/projects', { params: { query }, signal }))),
  });

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: keys.project(id),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/projects/{id}', { params: byId(id), signal })),
  });

export const reposQuery = (project: string) =>
  queryOptions({
    queryKey: keys.repos(project),
    queryFn: ({ signal }) =>
      everyItem((query) =>
        answer(client.GET('/api/v1/projects/{id}/repos', { params: { path: { id: project }, query }, signal })),
      ),
  });

export const workflowQuery = (project: string) =>
  queryOptions({
    queryKey: keys.workflow(project),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/projects/{id}/workflow', { params: byId(project), signal })),
  });

export const tasksQuery = (project: string) =>
  infiniteQueryOptions({
    queryKey: keys.tasks(project),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === null ? { limit: BOARD_PAGE } : { limit: BOARD_PAGE, cursor: pageParam };
      return answer(client.GET('/api/v1/projects/{id}/tasks', { params: { path: { id: project }, query }, signal }));
    },
    getNextPageParam: (page) => page.next_cursor,
  });

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: keys.task(id),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/tasks/{id}', { params: byId(id), signal })),
  });

/** Why each of the first in line of a project waits. */
export const waitingQuery = (project: string) =>
  queryOptions({
    queryKey: keys.waiting(project),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/projects/{id}/waiting', { params: byId(project), signal })),
  });

/** The live branches of a project and which of them clash. A branch that begins without a clash is no event, so every look asks anew. */
export const conflictsQuery = (project: string) =>
  queryOptions({
    queryKey: keys.conflicts(project),
    queryFn: ({ signal }) => answer(client.GET('/api/v1/projects/{id}/conflicts', { params: byId(project), signal })),
    staleTime: 0,
  });

/** Who waits to land. */
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
    queryKey: keys.steps(task),
    queryFn: ({ signal }) =>
      everyItem((query) =>
        answer(client.GET('/api/v1/tasks/{id}/steps', { params: { path: { id: task }, query }, signal })),
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
        client.GET('/api/v1/tasks/{id}/diff', { params: { path: { id: task }, query: { scope, format: 'json' } }, signal }),
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

/** A part of a log. Not cached: what was read of a growing file is kept by who reads on. */
export const fetchLog = (execution: string, from: number, signal: AbortSignal) =>
  answer(client.GET('/api/v1/executions/{id}/log/raw', { params: { path: { id: execution }, query: { from } }, signal }));
