import type { Task } from '../../api/types';

const TASK = Symbol('task');
const STATES = Symbol('states');

/** What a dragged card carries. */
export const cardData = (task: Task): Record<string | symbol, unknown> => ({ [TASK]: task });

/** The task of a dragged card; null for anything else that is dragged. */
export function draggedTask(data: Record<string | symbol, unknown>): Task | null {
  return (data[TASK] as Task | undefined) ?? null;
}

/** What a place to drop on carries: the states a card may get there, the nearest first. */
export const placeData = (states: readonly string[]): Record<string | symbol, unknown> => ({ [STATES]: states });

/** The states of the places under the pointer, the innermost first. */
export function placedStates(places: readonly { data: Record<string | symbol, unknown> }[]): string[] {
  const states = places.flatMap(({ data }) => (data[STATES] as readonly string[] | undefined) ?? []);
  return [...new Set(states)];
}
