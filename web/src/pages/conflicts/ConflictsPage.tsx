import { useQuery } from '@tanstack/react-query';

import { conflictsQuery } from '../../api/queries';
import { PageHeader } from '../../app/layout/PageHeader';
import { useProject } from '../../app/layout/ProjectRoute';
import { useTitle } from '../../app/title';
import { targetConflictsByTask } from '../../task/conflicts';
import { EmptyState } from '../../ui/EmptyState';
import { Loaded } from '../../ui/Loaded';
import { ConflictList, TargetConflictList } from './ConflictList';
import styles from './ConflictsPage.module.css';
import { Matrix } from './Matrix';

/** Which live branches of a project conflict with their target or with each other. */
export function ConflictsPage() {
  const project = useProject();
  const conflicts = useQuery(conflictsQuery(project.id));
  useTitle(`${project.name} conflicts`);
  return (
    <>
      <PageHeader title="Conflicts" project={project} />
      <Loaded what="the branches" query={conflicts}>
        {(found) =>
          found.branches.length === 0 ? (
            <EmptyState title="No live branch. Branches show up here once work on a task has begun." />
          ) : (
            <div className={styles.page}>
              <p role="status">
                {found.conflicts.length === 0
                  ? `All ${found.branches.length} live branches merge with each other.`
                  : `${found.conflicts.length} ${found.conflicts.length === 1 ? 'pair' : 'pairs'} of ${found.branches.length} live branches conflict.`}
              </p>
              <Matrix found={found} project={project.slug} />
              <TargetConflictList branches={[...targetConflictsByTask(found).values()]} project={project.slug} />
              <ConflictList conflicts={found.conflicts} project={project.slug} />
            </div>
          )
        }
      </Loaded>
    </>
  );
}
