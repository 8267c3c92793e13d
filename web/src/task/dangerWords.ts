import type { Task, Workspace } from '../api/types';
import type { ActionRole } from './actionRoles';
import { resetLoss } from './resetLoss';

/** The question before a dangerous action and what will be lost. */
export interface DangerWords {
  title: string;
  body: string;
  keep: string;
  confirm: string;
}

/** Null for an action that is not dangerous. */
export function dangerWords(
  role: ActionRole,
  task: Pick<Task, 'key'>,
  workspace: Workspace | undefined,
): DangerWords | null {
  switch (role) {
    case 'cancel':
      return {
        title: `Cancel ${task.key}?`,
        body: 'The agent stops now. Its branch and uncommitted changes are kept; the worktree is removed later.',
        keep: 'Keep task',
        confirm: 'Cancel task',
      };
    case 'reset-workspace':
      return {
        title: `Reset the workspace of ${task.key}?`,
        body: `It starts again from its target branch. ${resetLoss(workspace)} Commits stay under refs/forge/archive/, uncommitted changes in the journal.`,
        keep: 'Keep',
        confirm: 'Reset workspace',
      };
    case 'mark-failed':
      return {
        title: 'Mark this execution as failed?',
        body: 'The process is ended. Work so far is committed to the branch.',
        keep: 'Keep running',
        confirm: 'Mark failed',
      };
    default:
      return null;
  }
}
