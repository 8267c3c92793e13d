import { useQueries, useQuery } from '@tanstack/react-query';

import { isLater, PHASES } from '../../api/phases';
import { agentsQuery, firstTasksQuery, needsPersonQuery, waitingQuery, workflowQuery } from '../../api/queries';
import type { NeedsPerson, Project } from '../../api/types';
import { createSituate, type SituatedTask } from '../../task/useSituations';

/** A task in a list over all projects. */
export interface InboxTask extends SituatedTask {
  project: Project;
}

export interface InboxData {
  needsYou: readonly NeedsPerson[];
  working: readonly InboxTask[];
  queued: readonly InboxTask[];
  landedToday: readonly InboxTask[];
  isLoading: boolean;
  failure: Error | null;
}

const SHOWN_PHASES = PHASES.filter((phase) => !isLater(phase));

/** What needs the user, what runs, what is next and what landed today, over all projects. */
export function useInbox(projects: readonly Project[]): InboxData {
  const needsPerson = useQuery(needsPersonQuery());
  const agents = useQuery(agentsQuery());
  const workflows = useQueries({ queries: projects.map(({ id }) => workflowQuery(id)) });
  const waiting = useQueries({ queries: projects.map(({ id }) => waitingQuery(id)) });
  const lists = useQueries({
    queries: projects.flatMap(({ id }) => SHOWN_PHASES.map((phase) => firstTasksQuery(id, phase))),
  });
  const tasks = projects.flatMap((project, index): InboxTask[] => {
    const situate = createSituate({
      workflow: workflows[index]?.data,
      waiting: waiting[index]?.data,
      needsPerson: needsPerson.data,
      agents: agents.data,
    });
    const own = lists.slice(index * SHOWN_PHASES.length, (index + 1) * SHOWN_PHASES.length);
    return own.flatMap(({ data }) => data?.items ?? []).map((task) => ({ ...situate(task), project }));
  });
  const listed = new Set(needsPerson.data?.map(({ task_id }) => task_id));
  const others = tasks.filter(({ task }) => !listed.has(task.id));
  const meaning = (...wanted: readonly string[]) =>
    others.filter(({ situation }) => wanted.includes(situation.meaning));
  const today = new Date().toDateString();
  return {
    needsYou: (needsPerson.data ?? []).toSorted((one, other) => one.since.localeCompare(other.since)),
    working: meaning('working', 'checking', 'landing'),
    queued: meaning('queued', 'held'),
    landedToday: meaning('landed')
      .filter(({ task }) => new Date(task.landing?.at ?? task.updated_at).toDateString() === today)
      .toSorted((one, other) => other.task.updated_at.localeCompare(one.task.updated_at)),
    isLoading: needsPerson.isPending || lists.some(({ isPending }) => isPending),
    failure: needsPerson.error ?? lists.find(({ error }) => error !== null)?.error ?? null,
  };
}
