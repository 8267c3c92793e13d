import { isFinished } from '../../api/phases';
import type { Phase, WorkflowView } from '../../api/types';
import type { SituatedTask } from '../../task/useSituations';
import { groupByState } from './columns';

/** One row of a column. */
export type ColumnItem =
  | { kind: 'heading'; id: string; state: string; heading: string; count: number }
  | { kind: 'card'; id: string; state: string; card: SituatedTask };

/** The rows of a column: headings only where it has more than one group. */
export function columnItems(
  workflow: Pick<WorkflowView, 'states'>,
  phase: Phase,
  cards: readonly SituatedTask[],
): ColumnItem[] {
  const groups = groupByState(workflow, phase, cards, new Date()).filter((group) => group.cards.length > 0);
  return groups.flatMap((group): ColumnItem[] => {
    const rows = group.cards.map((card): ColumnItem => ({ kind: 'card', id: card.task.id, state: group.state, card }));
    const { id, heading, state } = group;
    return groups.length === 1 && !isFinished(phase)
      ? rows
      : [{ kind: 'heading', id: `heading ${id}`, state, heading, count: group.cards.length }, ...rows];
  });
}
