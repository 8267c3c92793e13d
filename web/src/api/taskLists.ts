import type { InfiniteData } from '@tanstack/react-query';

import type { Phase, Task, TaskPage } from './types';

/** Which tasks a list holds. Only the phase decides unless a filter is set. */
export interface TaskListFilter {
  phase: Phase;
  text?: string | undefined;
  label?: string | undefined;
  agent?: string | undefined;
}

export type TaskListData = InfiniteData<TaskPage, string | null>;

/** The list with the task at its place, or `stale` where only the server knows whether the task belongs to it. */
export function placeTask(list: TaskListData, filter: TaskListFilter, task: Task): TaskListData | 'stale' {
  const isShown = list.pages.some((page) => page.items.some(({ id }) => id === task.id));
  const belongs = task.phase === filter.phase && task.archived_at === null;
  if (!isShown && !belongs) {
    return list;
  }
  if (!isShown) {
    return hasFilter(filter) ? 'stale' : insertFirst(list, task);
  }
  const pages = list.pages.map((page) => ({
    ...page,
    items: belongs
      ? page.items.map((item) => (item.id === task.id ? newer(item, task) : item))
      : page.items.filter(({ id }) => id !== task.id),
  }));
  return { ...list, pages };
}

function insertFirst(list: TaskListData, task: Task): TaskListData {
  const [first, ...rest] = list.pages;
  return first === undefined ? list : { ...list, pages: [{ ...first, items: [task, ...first.items] }, ...rest] };
}

/** Answers may overtake each other; an older version never replaces a newer one. */
function newer(shown: Task, arrived: Task): Task {
  return arrived.version >= shown.version ? arrived : shown;
}

function hasFilter({ text, label, agent }: TaskListFilter): boolean {
  return [text, label, agent].some((value) => value !== undefined && value !== '');
}
