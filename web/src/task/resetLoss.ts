import type { Workspace } from '../api/types';

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What a reset takes out of the workspace, in a sentence. */
export function resetLoss(workspace: Pick<Workspace, 'ahead' | 'dirty'> | undefined): string {
  if (workspace === undefined) {
    return 'Its commits and uncommitted changes will be set aside.';
  }
  const { ahead, dirty } = workspace;
  const changes = dirty === null ? 0 : dirty.staged + dirty.modified + dirty.untracked;
  const parts = [
    ...(ahead === null || ahead === 0 ? [] : [counted(ahead, 'commit')]),
    ...(changes === 0 ? [] : [counted(changes, 'uncommitted change')]),
  ];
  return parts.length === 0 ? 'There is nothing in it to set aside.' : `${parts.join(' and ')} will be set aside.`;
}
