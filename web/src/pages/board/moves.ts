import type { Action, Task, WorkflowView } from '../../api/types';
import { humanize } from '../../ui/words';

/** What dropping a card on a state does. */
export type Drop = { kind: 'move' | 'start'; state: string } | { kind: 'refused'; reason: string };

/** The states a task may be moved to by hand: what the server offers, else what the workflow draws. */
export function moveTargets(task: Task, workflow: WorkflowView, offered: readonly Action[] | undefined): string[] {
  if (offered !== undefined) {
    return offered.flatMap(({ name, target }) => (name === 'transition' && target !== null ? [target] : []));
  }
  return workflow.states.find(({ name }) => name === task.status)?.targets.manual ?? [];
}

/** What happens when a card is dropped on a column: its first candidate that is allowed, else why none is. */
export function dropOn(
  task: Task,
  workflow: WorkflowView,
  offered: readonly Action[] | undefined,
  candidates: readonly string[],
): Drop {
  const allowed = moveTargets(task, workflow, offered);
  const target = candidates.find((state) => allowed.includes(state));
  if (target !== undefined) {
    return { kind: 'move', state: target };
  }
  const claim = workflow.states.find(({ name }) => name === task.status)?.targets.claim ?? null;
  if (claim !== null && candidates.includes(claim)) {
    return { kind: 'start', state: claim };
  }
  const from = humanize(task.status);
  if (allowed.length === 0) {
    return { kind: 'refused', reason: `${task.key} cannot be moved out of ${from} by hand.` };
  }
  return { kind: 'refused', reason: `From ${from} it can go to ${allowed.map(humanize).join(', ')}.` };
}
