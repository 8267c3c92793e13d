import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import { applyEffect } from '../api/applyEffects';
import { commands } from '../api/commands';
import { keys } from '../api/keys';
import type { Task } from '../api/types';
import { openOverlay } from '../app/overlayStore';
import { showToast } from '../ui/toastStore';
import { actionBody } from './actionBody';
import { coderOf, type PlannedAction } from './actionPlan';

/** Asks for the task again, also after a refusal: a refusal means that what is shown is old. */
export async function refreshTask(cache: QueryClient, task: Pick<Task, 'id' | 'project_id'>): Promise<void> {
  await Promise.allSettled([
    applyEffect(cache, { kind: 'card', task: task.id, project: task.project_id }),
    cache.invalidateQueries({ queryKey: keys.actions(task.id) }),
    cache.invalidateQueries({ queryKey: keys.why(task.id) }),
  ]);
}

/** Does an action, or opens the dialog that asks for what it needs. */
export function useTaskActions(): (task: Task, planned: PlannedAction) => void {
  const cache = useQueryClient();
  return useCallback(
    (task, planned) => {
      const coder = coderOf(task);
      const isReady = !planned.asks || (planned.role === 'start' && coder !== null);
      const made = isReady ? actionBody(planned.action, task, coder === null ? {} : { agent_id: coder }) : null;
      if (made === null || made.problems !== null) {
        openOverlay({ kind: 'action', task, planned });
        return;
      }
      commands
        .act(planned.action, made.body)
        .catch((error: unknown) => {
          const why = error instanceof Error ? error.message : String(error);
          showToast({ text: `${task.key}: ${why}`, tone: 'failed' });
        })
        .finally(() => void refreshTask(cache, task));
    },
    [cache],
  );
}
