import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { type Freshness, followDiff } from '../../../api/diffStream';
import { Failure } from '../../../api/failure';
import { keys } from '../../../api/keys';
import { diffQuery, workspaceQuery } from '../../../api/queries';
import type { Diff, DiffScope, DiffSource } from '../../../api/types';
import { DiffViewer } from '../../../diff/DiffViewer';
import { ButtonLink } from '../../../ui/ButtonLink';
import { EmptyState } from '../../../ui/EmptyState';
import { FailureNotice, Notice } from '../../../ui/Notice';
import { Segmented } from '../../../ui/Segmented';
import { Skeleton } from '../../../ui/Skeleton';
import { useTaskPage } from '../taskContext';
import styles from './DiffTab.module.css';
import { useReviewComments } from './useReviewComments';

const SCOPES: readonly { value: DiffScope; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'branch', label: 'Branch' },
  { value: 'uncommitted', label: 'Uncommitted' },
];

const SOURCES: Readonly<Record<DiffSource, string | null>> = {
  workspace: null,
  landed: 'This is what landed. The workspace is gone.',
  branch: 'The workspace is gone. This is what is left on the branch.',
};

/** What the task changed in its workspace, as it changes. */
export function DiffTab() {
  const { task, project } = useTaskPage();
  const { scope = 'all' } = useSearch({ from: '/projects/$project/$taskKey/diff' });
  const navigate = useNavigate();
  const freshness = useLiveDiff(task.id, scope);
  const { data, error } = useQuery(diffQuery(task.id, scope));
  const choose = (chosen: DiffScope) =>
    void navigate({
      to: '/projects/$project/$taskKey/diff',
      params: { project: project.slug, taskKey: task.key },
      search: chosen === 'all' ? {} : { scope: chosen },
      replace: true,
    });
  const comments = useReviewComments();
  const bar = (
    <>
      <Segmented label="Scope" options={SCOPES} value={scope} onChange={choose} />
      <WorkspaceNote task={task.id} isLive={freshness === 'live'} />
    </>
  );
  return (
    <div className={styles.page}>
      {data !== undefined && data.files.length > 0 ? (
        <DiffViewer
          files={data.files}
          scope={bar}
          notices={<DiffNotices diff={data} />}
          comments={comments}
          patchHref={`/api/v1/tasks/${task.id}/diff?scope=${scope}&format=patch`}
        />
      ) : (
        <>
          <div className={styles.bar}>{bar}</div>
          <NothingToShow diff={data} error={error} scope={scope} />
        </>
      )}
    </div>
  );
}

function NothingToShow({ diff, error, scope }: { diff: Diff | undefined; error: Error | null; scope: DiffScope }) {
  const { task, project } = useTaskPage();
  if (diff === undefined && error === null) {
    return <Skeleton what="the diff" />;
  }
  // A task without a workspace is not a mistake: it was not started yet, or it has landed.
  const hasNoWorkspace = error instanceof Failure && error.status === 409;
  if (error !== null && !hasNoWorkspace) {
    return (
      <div className={styles.notices}>
        <FailureNotice failure={error} />
      </div>
    );
  }
  return (
    <EmptyState
      title={scope === 'uncommitted' && error === null ? 'Everything is committed.' : 'No changes yet.'}
      actions={
        <ButtonLink to="/projects/$project/$taskKey" params={{ project: project.slug, taskKey: task.key }}>
          Open conversation
        </ButtonLink>
      }
    >
      {error === null ? null : <p>{error.message}</p>}
    </EmptyState>
  );
}

function DiffNotices({ diff: { source, truncated, deletes_landed } }: { diff: Diff }) {
  const remark = SOURCES[source];
  return remark === null && !truncated && deletes_landed.length === 0 ? null : (
    <div className={styles.notices}>
      {remark === null ? null : <Notice tone="info">{remark}</Notice>}
      {truncated ? <Notice tone="warning">More files changed than are listed. The patch has all.</Notice> : null}
      {deletes_landed.length === 0 ? null : (
        <Notice tone="warning" title="Landing this would delete files of other tasks">
          {deletes_landed.join(', ')}
        </Notice>
      )}
    </div>
  );
}

/** Asks for the diff again whenever the server says that it changed. */
function useLiveDiff(task: string, scope: DiffScope): Freshness {
  const cache = useQueryClient();
  const [freshness, setFreshness] = useState<Freshness>('connecting');
  useEffect(() => {
    const onNews = () => {
      void cache.invalidateQueries({ queryKey: keys.diff(task) });
      void cache.invalidateQueries({ queryKey: keys.workspace(task) });
    };
    return followDiff(task, scope, onNews, setFreshness);
  }, [cache, task, scope]);
  return freshness;
}

/** Where the task is worked on. */
function WorkspaceNote({ task, isLive }: { task: string; isLive: boolean }) {
  const { task: shown } = useTaskPage();
  const { data } = useQuery(workspaceQuery(task));
  if (data === undefined) {
    return null;
  }
  const { branch, behind, dirty, last_error, lock, path } = data;
  const changed = dirty === null ? 0 : dirty.staged + dirty.modified + dirty.untracked;
  const target = shown.merge_config.target_branch;
  const parts = [
    branch === null ? null : target == null ? branch : `${branch} against ${target}`,
    behind === null || behind === 0 ? null : `${behind} behind`,
    changed === 0 ? null : `${changed} uncommitted`,
    lock === null ? null : `in use by process ${lock.pid}`,
    last_error,
    isLive ? 'live' : null,
  ];
  return (
    <span className={styles.note} title={path}>
      {parts.filter((part) => part !== null).join(' · ')}
    </span>
  );
}
