import { PHASES } from '../../api/phases';
import type { Phase, StateView, Task, WorkflowView } from '../../api/types';
import { humanize } from '../../ui/words';

/** A heading inside a column with the tasks under it. */
export interface ColumnGroup<Card> {
  id: string;
  heading: string;
  /** The state a card gets that is dropped here. */
  state: string;
  cards: readonly Card[];
}

/** The phases that a workflow comes to, in the order of all boards. */
export function phasesOf(workflow: Pick<WorkflowView, 'states'>): Phase[] {
  return PHASES.filter((phase) => workflow.states.some((state) => state.phase === phase));
}

/** The states of one phase in the order of the workflow. */
export function statesOf(workflow: Pick<WorkflowView, 'states'>, phase: Phase): StateView[] {
  return workflow.states.filter((state) => state.phase === phase);
}

/**
 * The cards of a phase by state. A task may follow an older workflow whose state the present one does not have; its
 * group comes last, so that no task is ever invisible. What has landed is further divided by day.
 */
export function groupByState<Card extends { task: Task }>(
  workflow: Pick<WorkflowView, 'states'>,
  phase: Phase,
  cards: readonly Card[],
  now: Date,
): ColumnGroup<Card>[] {
  const known = statesOf(workflow, phase);
  const unknown = new Set(
    cards.map(({ task }) => task.status).filter((status) => !known.some(({ name }) => name === status)),
  );
  const groups = [
    ...known.map((state) => ({ name: state.name, state })),
    ...[...unknown].map((name) => ({ name, state: null })),
  ];
  return groups.flatMap(({ name, state }) => {
    const own = cards.filter(({ task }) => task.status === name);
    return state?.kind === 'terminal'
      ? groupByDay(state, own, now)
      : [{ id: name, heading: humanize(name), state: name, cards: own.toSorted(byUrgency) }];
  });
}

function groupByDay<Card extends { task: Task }>(
  state: StateView,
  cards: readonly Card[],
  now: Date,
): ColumnGroup<Card>[] {
  const word = state.outcome === 'success' ? 'Landed' : humanize(state.name);
  const latest = cards.toSorted((one, other) => endedAt(other.task).localeCompare(endedAt(one.task)));
  const isToday = ({ task }: Card) => new Date(endedAt(task)).toDateString() === now.toDateString();
  return [
    { id: `${state.name} today`, heading: `${word} today`, state: state.name, cards: latest.filter(isToday) },
    {
      id: `${state.name} earlier`,
      heading: `${word} earlier`,
      state: state.name,
      cards: latest.filter((card) => !isToday(card)),
    },
  ];
}

function endedAt(task: Task): string {
  return task.landing?.at ?? task.updated_at;
}

function byUrgency<Card extends { task: Task }>(one: Card, other: Card): number {
  return other.task.priority - one.task.priority || one.task.number - other.task.number;
}
