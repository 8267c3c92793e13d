import type { Action, Execution } from '../../../api/types';

export type ReplyMode = 'steer' | 'follow-up' | 'comment';

interface ReplyModeLook {
  value: ReplyMode;
  label: string;
  send: string;
  placeholder: string;
}

const STEER: ReplyModeLook = {
  value: 'steer',
  label: 'Steer now',
  send: 'Send',
  placeholder: 'Tell the agent something while it works',
};
const FOLLOW_UP: ReplyModeLook = {
  value: 'follow-up',
  label: 'Go on with this',
  send: 'Send to the agent',
  placeholder: 'Ask the agent to go on',
};
const COMMENT: ReplyModeLook = {
  value: 'comment',
  label: 'Comment',
  send: 'Comment',
  placeholder: 'Write a comment',
};

/** How a reply can be sent now, the most fitting first. A comment is always possible. */
export function replyModes(
  actions: readonly Pick<Action, 'name'>[],
  latest: Pick<Execution, 'finished_at' | 'agent_id'> | undefined,
): [ReplyModeLook, ...ReplyModeLook[]] {
  if (actions.some(({ name }) => name === 'steer')) {
    return [STEER, COMMENT];
  }
  const canGoOn = latest !== undefined && latest.finished_at !== null && latest.agent_id !== null;
  const mayRestart = actions.some(({ name }) => name === 'restart');
  return canGoOn && mayRestart ? [FOLLOW_UP, COMMENT] : [COMMENT];
}
