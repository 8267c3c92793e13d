import { useQuery } from '@tanstack/react-query';

import { conflictsQuery, projectQuery } from '../../api/queries';
import { Link } from '../../app/router';
import { to } from '../../app/routes';
import { useTitle } from '../../app/title';
import { Answered } from '../../ui/Answered';
import { Empty } from '../../ui/Empty';
import { ConflictList } from './ConflictList';
import { Matrix } from './Matrix';
import './conflicts.css';

/** Which live branches of a project clash with each other. */
export function ConflictsPage({ id }: { id: string }) {
  const project = useQuery(projectQuery(id));
  useTitle(project.data === undefined ? undefined : `Conflicts of ${project.data.name}`);
  const conflicts = useQuery(conflictsQuery(id));
  return (
    <div className="conflicts-page">
      <h1>Conflicts</h1>
      <p>
        <Link href={to.board(id)}>{project.data === undefined ? 'Board' : `Board of ${project.data.name}`}</Link>
      </p>
      <Answered what="the branches" query={conflicts}>
        {(found) =>
          found.branches.length === 0 ? (
            <Empty title="No live branch">Branches show up here once work on a task has begun.</Empty>
          ) : (
            <>
              <p role="status">
                {found.conflicts.length === 0
                  ? `All ${found.branches.length} live branches merge with each other.`
                  : `${found.conflicts.length} of the pairs of ${found.branches.length} live branches clash.`}
              </p>
              <Matrix found={found} />
              <ConflictList conflicts={found.conflicts} />
            </>
          )
        }
      </Answered>
    </div>
  );
}
