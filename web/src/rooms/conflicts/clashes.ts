import type { Conflict, Conflicts, LiveBranch } from '../../api/types';

/** What a card says about the branches that its task's branch clashes with. */
export interface ClashBadge {
  text: string;
  title: string;
}

/** The other one of a pair. */
export function otherOf(conflict: Conflict, task: string): LiveBranch | undefined {
  return conflict.branches.find((branch) => branch.task_id !== task);
}

/** The conflicts of each task, by its id. */
export function conflictsByTask(found: Conflicts | undefined): ReadonlyMap<string, readonly Conflict[]> {
  const byTask = new Map<string, Conflict[]>();
  for (const conflict of found?.conflicts ?? []) {
    for (const { task_id } of conflict.branches) {
      byTask.set(task_id, [...(byTask.get(task_id) ?? []), conflict]);
    }
  }
  return byTask;
}

/** Null for a task whose branch gets on with all others. */
export function clashBadge(task: string, conflicts: readonly Conflict[] | undefined): ClashBadge | null {
  const others = (conflicts ?? []).flatMap((conflict) => {
    const other = otherOf(conflict, task);
    return other === undefined ? [] : [{ key: other.key, files: conflict.files }];
  });
  const [first] = others;
  if (first === undefined) {
    return null;
  }
  return {
    text: others.length === 1 ? `Clashes with ${first.key}` : `Clashes with ${others.length}`,
    title: others.map(({ key, files }) => `${key}: ${files.join(', ')}`).join('\n'),
  };
}

/** Where a pair is told in full, for links within the page. */
export function anchorOf(conflict: Conflict): string {
  return `clash-${conflict.branches.map(({ key }) => key).join('-')}`;
}

/** The conflict of two branches, if they have one. */
export function between(
  byTask: ReadonlyMap<string, readonly Conflict[]>,
  one: string,
  other: string,
): Conflict | undefined {
  return byTask.get(one)?.find((conflict) => otherOf(conflict, one)?.task_id === other);
}
