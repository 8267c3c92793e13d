import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { CacheEffect } from './eventEffects';
import { Failure } from './failure';
import { type Key, keys } from './keys';
import { taskQuery } from './queries';
import { placeTask, type TaskListData, type TaskListFilter } from './taskLists';
import type { Task, TaskPage } from './types';

/** Applies one effect to the cache. Nothing is asked for unless the page shows it. */
export async function applyEffect(cache: QueryClient, effect: CacheEffect): Promise<void> {
  if (effect.kind === 'stale') {
    await cache.invalidateQueries({ queryKey: effect.key });
    return;
  }
  const isActive = (key: Key) => cache.getQueryCache().findAll({ queryKey: key, type: 'active' }).length > 0;
  const lists = [keys.tasks(effect.project), keys.firstTasks(effect.project)];
  // Lists that are not on the screen are asked for again when they are shown.
  for (const queryKey of lists) {
    await cache.invalidateQueries({ queryKey, refetchType: 'none', type: 'inactive' });
  }
  if (!lists.some(isActive) && !isActive(keys.task(effect.task))) {
    await cache.invalidateQueries({ queryKey: keys.task(effect.task), refetchType: 'none' });
    return;
  }
  try {
    showTask(cache, await cache.fetchQuery({ ...taskQuery(effect.task), staleTime: 0 }));
  } catch (error) {
    // A task that the user may no longer see leaves the lists with the next look at them.
    if (error instanceof Failure && error.status === 404) {
      await cache.invalidateQueries({ queryKey: keys.tasks(effect.project) });
      return;
    }
    throw error;
  }
}

/** Puts a task into its own cache entry and into every list that shows it or should. */
export function showTask(cache: QueryClient, task: Task): void {
  cache.setQueryData(taskQuery(task.id).queryKey, task);
  for (const { queryKey } of cache.getQueryCache().findAll({ queryKey: keys.tasks(task.project_id) })) {
    placeIn<TaskListData>(
      cache,
      queryKey,
      task,
      (data) => data,
      (data) => data,
    );
  }
  for (const { queryKey } of cache.getQueryCache().findAll({ queryKey: keys.firstTasks(task.project_id) })) {
    const wrap = (page: TaskPage): TaskListData => ({ pages: [page], pageParams: [null] });
    placeIn<TaskPage>(cache, queryKey, task, wrap, (data, page) => data.pages[0] ?? page);
  }
}

function placeIn<Data>(
  cache: QueryClient,
  queryKey: QueryKey,
  task: Task,
  toList: (data: Data) => TaskListData,
  fromList: (list: TaskListData, data: Data) => Data,
): void {
  const data = cache.getQueryData<Data>(queryKey);
  const filter = queryKey[2] as TaskListFilter | undefined;
  if (data === undefined || filter === undefined) {
    return;
  }
  const placed = placeTask(toList(data), filter, task);
  if (placed === 'stale') {
    void cache.invalidateQueries({ queryKey });
  } else {
    cache.setQueryData(queryKey, fromList(placed, data));
  }
}
