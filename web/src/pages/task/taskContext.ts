import { createContext, use } from 'react';

import type { Project, Task, WorkflowView } from '../../api/types';
import type { SituatedTask } from '../../task/useSituations';

/** What every part of a task's page knows. */
export interface TaskPageData {
  task: Task;
  project: Project;
  workflow: WorkflowView | undefined;
  situated: SituatedTask;
}

const TaskPageContext = createContext<TaskPageData | null>(null);
export const TaskPageProvider = TaskPageContext.Provider;

/** The task of the present page. */
export function useTaskPage(): TaskPageData {
  const data = use(TaskPageContext);
  if (data === null) {
    throw new Error('useTaskPage is only for parts of a task page');
  }
  return data;
}
