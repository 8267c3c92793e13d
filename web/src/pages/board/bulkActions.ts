import type { Action, Task } from '../../api/types';

/** What can be done with several tasks at once. */
export type BulkAction =
  | { kind: 'move'; state: string }
  | { kind: 'assign'; agent: string }
  | { kind: 'cancel' }
  | { kind: 'archive' };

export interface BulkRequest {
  action: Action;
  body: Readonly<Record<string, unknown>>;
}

/** What the server offers for one task that does it; null if it offers nothing that does. */
export function bulkRequest(asked: BulkAction, offered: readonly Action[]): BulkRequest | null {
  const found = (isIt: (action: Action) => boolean, body: BulkRequest['body'] = {}): BulkRequest | null => {
    const action = offered.find(isIt);
    return action === undefined ? null : { action, body };
  };
  switch (asked.kind) {
    case 'move':
      return found(({ name, target }) => name === 'transition' && target === asked.state, { status: asked.state });
    case 'assign':
      return found(({ name, path }) => name === 'assign' && path.endsWith('/coder'), { agent_id: asked.agent });
    case 'cancel':
    case 'archive':
      return found(({ name }) => name === asked.kind);
  }
}

/** How it went: the number of tasks, and the first reason why one of them stayed as it was. */
export function bulkWords(
  verb: string,
  done: readonly Task[],
  refused: readonly { task: Task; why: string }[],
): string {
  const [first] = refused;
  const words = `${done.length} of ${done.length + refused.length} ${verb}.`;
  return first === undefined ? `${done.length} ${verb}.` : `${words} ${first.task.key}: ${first.why}`;
}
