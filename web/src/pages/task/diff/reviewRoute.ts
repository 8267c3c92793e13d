import type { Action, Execution } from '../../../api/types';
import { replyModes } from '../conversation/replyModes';

export type ReviewRoute = 'steer' | 'reject' | 'follow-up' | 'comment';

/** How a review reaches the agent: while it works, by sending the work back, or by going on with the conversation. */
export function reviewRoute(
  actions: readonly Pick<Action, 'name'>[],
  latest: Pick<Execution, 'finished_at' | 'agent_id'> | undefined,
): ReviewRoute {
  const [first] = replyModes(actions, latest);
  if (first.value === 'steer') {
    return 'steer';
  }
  // Work at a gate goes back with its feedback, which the next prompt contains.
  return actions.some(({ name }) => name === 'reject') ? 'reject' : first.value;
}
