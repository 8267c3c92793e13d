import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { agentsQuery, needsPersonQuery, waitingQuery } from '../api/queries';
import type { Agent, NeedsPerson, StateView, Task, TaskWaiting, WorkflowView } from '../api/types';
import { coderOf } from './actionPlan';
import { type Situation, situationOf } from './situation';

/** A task with what it means and the agent that has it. */
export interface SituatedTask {
  task: Task;
  state: StateView | undefined;
  situation: Situation;
  agent: Agent | undefined;
}

export type Situate = (task: Task) => SituatedTask;

/** The lists from which the situation of a project's tasks follows. Those that are not loaded yet are left out. */
export interface SituationLists {
  workflow: WorkflowView | undefined;
  waiting: readonly TaskWaiting[] | undefined;
  needsPerson: readonly NeedsPerson[] | undefined;
  agents: readonly Agent[] | undefined;
}

/** Derives the situation of any task of a project from lists that are loaded once. */
export function createSituate({ workflow, waiting, needsPerson, agents }: SituationLists): Situate {
  const waitingOf = new Map(waiting?.map((one) => [one.task_id, one]));
  const personOf = new Map(needsPerson?.map((one) => [one.task_id, one]));
  const agentOf = new Map(agents?.map((one) => [one.id, one]));
  const stateOf = new Map(workflow?.states.map((one) => [one.name, one]));
  return (task) => {
    const state = stateOf.get(task.status);
    const coder = coderOf(task);
    const agent = coder === null ? undefined : agentOf.get(coder);
    return {
      task,
      state,
      agent,
      situation: situationOf({
        task,
        state,
        person: personOf.get(task.id),
        waiting: waitingOf.get(task.id),
        agentName: agent?.name,
      }),
    };
  };
}

/** The situations of one project's tasks. */
export function useSituations(project: string, workflow: WorkflowView | undefined): Situate {
  // The board stays a board without the reasons, so their failure is not shown as its failure.
  const waiting = useQuery(waitingQuery(project)).data;
  const needsPerson = useQuery(needsPersonQuery()).data;
  const agents = useQuery(agentsQuery()).data;
  return useMemo(
    () => createSituate({ workflow, waiting, needsPerson, agents }),
    [waiting, needsPerson, agents, workflow],
  );
}
