import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import { showTask } from '../../api/applyEffects';
import { commands } from '../../api/commands';
import { taskQuery } from '../../api/queries';
import type { Task, WorkflowView } from '../../api/types';
import { refreshTask } from '../../task/useTaskActions';
import { showToast } from '../../ui/toastStore';
import { humanize } from '../../ui/words';

/** Moves a card at once and asks the server; a refusal puts it back and says why. */
export function useMoveTask(workflow: WorkflowView | undefined): (task: Task, state: string) => void {
  const cache = useQueryClient();
  return useCallback(
    (task, state) => {
      const target = workflow?.states.find(({ name }) => name === state);
      if (target === undefined) {
        return;
      }
      const isReversible = target.targets.manual.includes(task.status);
      const undo = async () => {
        const present = await cache.fetchQuery({ ...taskQuery(task.id), staleTime: 0 });
        await commands.moveTask(task.id, task.status, present.version);
      };
      const failed = (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        showToast({ text: `${task.key} stays in ${humanize(task.status)}: ${why}`, tone: 'failed' });
      };
      showTask(cache, { ...task, status: state, phase: target.phase });
      commands
        .moveTask(task.id, state, task.version)
        .then(() =>
          showToast({
            text: `${task.key} moved to ${humanize(state)}.`,
            tone: 'info',
            undo: isReversible ? () => void undo().catch(failed) : undefined,
          }),
        )
        .catch((error: unknown) => {
          showTask(cache, task);
          failed(error);
        })
        .finally(() => void refreshTask(cache, task));
    },
    [cache, workflow],
  );
}
