import { Link } from '@tanstack/react-router';

import type { Conflict, LiveBranch } from '../../api/types';
import { anchorOf, targetAnchorOf } from '../../task/conflicts';
import { Tag } from '../../ui/Badge';
import { RelativeTime } from '../../ui/RelativeTime';
import styles from './ConflictsPage.module.css';

/** The pairs that conflict, with their files. */
export function ConflictList({ conflicts, project }: { conflicts: readonly Conflict[]; project: string }) {
  return (
    <ul className={styles.list} aria-label="Pairs that conflict">
      {conflicts.map((conflict) => (
        <li key={anchorOf(conflict)} id={anchorOf(conflict)} className={styles.item}>
          {conflict.branches.map((branch) => (
            <p key={branch.task_id}>
              <BranchLink branch={branch} project={project} /> {branch.uncommitted ? <Tag>Uncommitted</Tag> : null}
            </p>
          ))}
          <ConflictFiles since={conflict.since} files={conflict.files} />
        </li>
      ))}
    </ul>
  );
}

/** The branches that conflict with the branch they land on, with their files. */
export function TargetConflictList({ branches, project }: { branches: readonly LiveBranch[]; project: string }) {
  return branches.length === 0 ? null : (
    <ul className={styles.list} aria-label="Conflicts with the target">
      {branches.map((branch) => (
        <li key={branch.task_id} id={targetAnchorOf(branch)} className={styles.item}>
          <p>
            <BranchLink branch={branch} project={project} /> conflicts with <code>{branch.target}</code>
          </p>
          {branch.target_conflict === null ? null : (
            <ConflictFiles since={branch.target_conflict.since} files={branch.target_conflict.files} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** A link to a branch's task. */
export function BranchLink({ branch, project }: { branch: LiveBranch; project: string }) {
  return (
    <Link to="/projects/$project/$taskKey" params={{ project, taskKey: branch.key }}>
      <span className={styles.key}>{branch.key}</span> {branch.title}
    </Link>
  );
}

function ConflictFiles({ since, files }: { since: string; files: readonly string[] }) {
  return (
    <>
      <p className={styles.note}>
        Since <RelativeTime at={since} form="long" />
      </p>
      {files.map((file) => (
        <code key={file}>{file}</code>
      ))}
    </>
  );
}
