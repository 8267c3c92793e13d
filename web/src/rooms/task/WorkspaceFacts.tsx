import { useQuery } from '@tanstack/react-query';

import { workspaceQuery } from '../../api/queries';
import { Badge } from '../../ui/Badge';
import { humanize } from '../../ui/words';

/** Where the task is worked on. Nothing without a workspace: the diff beside it says why there is none. */
export function WorkspaceFacts({ task }: { task: string }) {
  const { data } = useQuery(workspaceQuery(task));
  if (data === undefined) {
    return null;
  }
  const { branch, path, ahead, behind, dirty, status, last_error, lock } = data;
  const changed = dirty === null ? 0 : dirty.staged + dirty.modified + dirty.untracked;
  return (
    <div className="workspace">
      <p className="facts">
        <Badge>{humanize(status)}</Badge>
        {branch === null ? null : <code>{branch}</code>}
        {ahead === null || behind === null ? null : (
          <span className="fine">
            {ahead} ahead, {behind} behind
          </span>
        )}
        {changed === 0 ? null : <span className="fine">{changed} uncommitted</span>}
        {lock === null ? null : <span className="fine">in use by process {lock.pid}</span>}
      </p>
      <p>
        <code className="fine">{path}</code>
      </p>
      {last_error === null ? null : <p className="problem">{last_error}</p>}
    </div>
  );
}
