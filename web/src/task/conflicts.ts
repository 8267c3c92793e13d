import type { Conflict, Conflicts, LiveBranch } from '../api/types';

/** The other branch of a pair. */
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

/** The branches that conflict with the branch they land on, by their task's id. */
export function targetConflictsByTask(found: Conflicts | undefined): ReadonlyMap<string, LiveBranch> {
  const own = (found?.branches ?? []).filter(({ target_conflict }) => target_conflict !== null);
  return new Map(own.map((branch) => [branch.task_id, branch]));
}

/** What a card says about the conflicts of its branch: one line per other branch. Empty without a conflict. */
export function conflictLines(task: string, found: Conflicts | undefined): string[] {
  const branch = targetConflictsByTask(found).get(task);
  const withTarget =
    branch?.target_conflict == null
      ? []
      : [`Conflicts with ${branch.target ?? 'its target'} in ${branch.target_conflict.files.join(', ')}`];
  const withOthers = (conflictsByTask(found).get(task) ?? []).flatMap((conflict) => {
    const other = otherOf(conflict, task);
    return other === undefined ? [] : [`Conflicts with ${other.key} in ${conflict.files.join(', ')}`];
  });
  return [...withTarget, ...withOthers];
}

/** The place of a conflict with the target on the page, for links within it. */
export function targetAnchorOf(branch: LiveBranch): string {
  return `target-${branch.key}`;
}

/** The place of a pair on the page, for links within it. */
export function anchorOf(conflict: Conflict): string {
  return `conflict-${conflict.branches.map(({ key }) => key).join('-')}`;
}

/** The conflict of two branches, if they have one. */
export function between(
  byTask: ReadonlyMap<string, readonly Conflict[]>,
  one: string,
  other: string,
): Conflict | undefined {
  return byTask.get(one)?.find((conflict) => otherOf(conflict, one)?.task_id === other);
}
