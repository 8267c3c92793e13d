import type { Phase, StateView, Task, WorkflowView } from '../../api/types';

/** One column: a state and the tasks in it. */
export interface Column {
  state: string;
  phase: Phase;
  tasks: readonly Task[];
}

/** The columns of one phase, for screens on which columns stand below each other. */
export interface PhaseGroup {
  phase: Phase;
  columns: readonly Column[];
}

/**
 * The columns in the order of the workflow. A task may follow an older definition whose state the present one does
 * not have; its column comes last, so that no task is ever invisible.
 */
export function columnsOf(workflow: Pick<WorkflowView, 'states'>, tasks: readonly Task[]): Column[] {
  const states = new Map<string, Phase>(workflow.states.map(({ name, phase }: StateView) => [name, phase]));
  for (const task of tasks) {
    if (!states.has(task.status)) {
      states.set(task.status, task.phase);
    }
  }
  return [...states].map(([state, phase]) => ({
    state,
    phase,
    tasks: tasks.filter((task) => task.status === state).toSorted(byUrgency),
  }));
}

/** The same columns by phase, phases in the order in which the workflow comes to them. */
export function phasesOf(columns: readonly Column[]): PhaseGroup[] {
  const phases = [...new Set(columns.map(({ phase }) => phase))];
  return phases.map((phase) => ({ phase, columns: columns.filter((column) => column.phase === phase) }));
}

function byUrgency(one: Task, other: Task): number {
  return other.priority - one.priority || one.number - other.number;
}
