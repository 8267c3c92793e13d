import type { Task } from '../../api/types';
import { shortCommit } from '../../ui/words';

/** How a task's work landed on its target. */
export function landedWords({ commit, target, verified }: NonNullable<Task['landing']>): string {
  const words = commit === null ? `Nothing to merge, ${target} had all of it` : `${shortCommit(commit)} on ${target}`;
  const there = verified === 'passed' ? ', checks passed there' : verified === 'failed' ? ', checks failed there' : '';
  return `${words}${there}`;
}

/** What was removed with a task's workspace (M-10). */
export function cleanedWords({ worktree, branch, record }: NonNullable<Task['cleanup']>): string {
  const gone = [worktree ? 'worktree' : '', branch ? 'branch' : '', record ? "git's record" : ''].filter(
    (part) => part !== '',
  );
  return gone.length === 0 ? 'nothing' : gone.join(', ');
}
