import type { Conflict } from '../../api/types';
import { Link } from '../../app/router';
import { to } from '../../app/routes';
import { Badge } from '../../ui/Badge';
import { Time } from '../../ui/Time';
import { anchorOf } from './clashes';

/** The pairs that clash, with their files. */
export function ConflictList({ conflicts }: { conflicts: readonly Conflict[] }) {
  return (
    <ul className="clashes" aria-label="Pairs that clash">
      {conflicts.map((conflict) => (
        <li key={anchorOf(conflict)} id={anchorOf(conflict)} tabIndex={-1}>
          {conflict.branches.map((branch) => (
            <p key={branch.task_id}>
              <Link href={to.task(branch.task_id)}>
                <span className="key">{branch.key}</span> {branch.title}
              </Link>{' '}
              {branch.uncommitted ? <Badge title="Work that is saved and not committed yet">Uncommitted</Badge> : null}
            </p>
          ))}
          <p className="fine">
            Since <Time at={conflict.since} />
          </p>
          <ul className="files">
            {conflict.files.map((file) => (
              <li key={file}>
                <code>{file}</code>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
