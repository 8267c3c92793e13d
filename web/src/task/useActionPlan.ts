import { useQuery } from '@tanstack/react-query';

import { actionsQuery, needsPersonQuery } from '../api/queries';
import type { WorkflowView } from '../api/types';
import { type ActionPlan, planActions } from './actionPlan';
import type { SituatedTask } from './useSituations';

/** What can be done with a task now, sorted by what it means. Null until it is known, or while it is not wanted. */
export function useActionPlan(
  situated: SituatedTask | undefined,
  workflow: WorkflowView | undefined,
  isWanted = true,
): ActionPlan | null {
  const id = situated?.task.id ?? '';
  const actions = useQuery({ ...actionsQuery(id), enabled: isWanted && situated !== undefined });
  const needsPerson = useQuery(needsPersonQuery());
  if (situated === undefined || workflow === undefined || actions.data === undefined) {
    return null;
  }
  return planActions(actions.data, {
    task: situated.task,
    workflow,
    meaning: situated.situation.meaning,
    person: needsPerson.data?.find(({ task_id }) => task_id === id),
  });
}
