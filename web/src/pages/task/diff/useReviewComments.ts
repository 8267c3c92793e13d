import { useQuery, useQueryClient } from '@tanstack/react-query';

import { commands } from '../../../api/commands';
import { keys } from '../../../api/keys';
import { actionsQuery, executionsQuery } from '../../../api/queries';
import { refreshTask } from '../../../task/useTaskActions';
import { useTaskPage } from '../taskContext';
import { reviewRoute } from './reviewRoute';

const HINTS = {
  steer: 'The agent gets it while it works.',
  reject: 'Goes to the agent as one message. The task goes back to work.',
  'follow-up': 'Goes to the agent as one message. It continues its conversation.',
  comment: 'No agent can take it now, so it becomes a comment on the task.',
} as const;

/** Sends the comments on the lines of a task's diff in the way that reaches the agent now. */
export function useReviewComments() {
  const cache = useQueryClient();
  const { task } = useTaskPage();
  const actions = useQuery(actionsQuery(task.id)).data ?? [];
  const latest = useQuery(executionsQuery(task.id)).data?.findLast(({ role }) => role === 'coder');
  const route = reviewRoute(actions, latest);
  const send = async (message: string) => {
    const rejection = actions.find(({ name }) => name === 'reject');
    if (route === 'reject' && rejection !== undefined) {
      await commands.act(rejection, { reason: message });
    } else if (route === 'steer' && latest !== undefined) {
      await commands.steer(latest.id, message);
    } else if (route === 'follow-up' && latest !== undefined) {
      await commands.followUp(latest.id, message);
    } else {
      await commands.comment(task.id, message, null);
      await cache.invalidateQueries({ queryKey: keys.comments(task.id) });
    }
    await refreshTask(cache, task);
  };
  return { name: task.id, send, hint: HINTS[route] };
}
