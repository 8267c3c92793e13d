import type { TaskCardFacts } from './TaskCard';
import type { SituatedTask } from './useSituations';

/** What a card shows of a task. */
export function cardFacts(
  { task, situation, agent }: SituatedTask,
  project: string,
  conflicts: readonly string[],
): TaskCardFacts {
  return {
    taskKey: task.key,
    title: task.title,
    project,
    situation,
    agent: agent === undefined ? undefined : { name: agent.name, program: agent.executor.kind },
    conflicts,
    label: task.labels[0],
    priority: task.priority,
    since: task.landing?.at ?? task.updated_at,
  };
}
