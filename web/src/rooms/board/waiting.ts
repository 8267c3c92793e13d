import type { TaskWaiting } from '../../api/types';
import { humanize } from '../../ui/words';

/** What a card says about why its task waits: the first reason in a word or two, and all of it on hover. */
export interface WaitingBadge {
  text: string;
  title: string;
  /** Whether somebody has to do something about it; else it goes on by itself. */
  needsHand: boolean;
}

type WaitCode = TaskWaiting['reasons'][number]['code'];

/** What ends by itself, with time. */
const PASSING: ReadonlySet<WaitCode> = new Set([
  'agent_at_capacity',
  'project_at_capacity',
  'node_at_capacity',
  'dependency',
  'conflict_hold',
  'ending',
  'next_in_line',
]);

/** Null for a task that does not wait, and where nobody asked that tasks go to agents by themselves. */
export function waitingBadge(waiting: TaskWaiting | undefined): WaitingBadge | null {
  const [first] = waiting?.reasons ?? [];
  if (waiting === undefined || first === undefined || waiting.reasons.some(({ code }) => code === 'dispatch_off')) {
    return null;
  }
  const place = waiting.place ?? 1;
  return {
    text: first.code === 'next_in_line' && place > 1 ? `Number ${place} in line` : humanize(first.code),
    title: waiting.reasons.map(({ message }) => message).join('\n'),
    needsHand: !PASSING.has(first.code),
  };
}
