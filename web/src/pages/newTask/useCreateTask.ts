import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { showTask } from '../../api/applyEffects';
import { commands } from '../../api/commands';
import type { Project, WorkflowView } from '../../api/types';
import { showToast } from '../../ui/toastStore';
import { type NewTaskFields, newTaskRequest } from './newTask';
import { startTask } from './startTask';

interface Creation {
  fields: NewTaskFields;
  /** The agent to start; empty to leave the task in its first state. */
  agent: string;
}

/** Creates a task and, if an agent is named, starts it. A task that was created is never created twice. */
export function useCreateTask(project: Project, workflow: WorkflowView | undefined, onCreated: () => void) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ fields, agent }: Creation) => {
      const task = await commands.createTask(project.id, newTaskRequest(fields));
      showTask(cache, task);
      if (agent !== '' && workflow !== undefined) {
        // The task exists now, so a refusal to start it is told apart from the form.
        await startTask(workflow, task, agent).catch((error: unknown) => {
          const why = error instanceof Error ? error.message : String(error);
          showToast({ text: `${task.key} was created but not started: ${why}`, tone: 'failed' });
        });
      }
      return task;
    },
    onSuccess: (task) => {
      onCreated();
      showToast({ text: `${task.key} created.`, tone: 'info' });
      void navigate({ to: '/projects/$project', params: { project: project.slug } });
    },
  });
}
