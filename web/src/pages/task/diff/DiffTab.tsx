import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { type Freshness, followDiff } from '../../../api/diffStream';
import { Failure } from '../../../api/failure';
import { keys } from '../../../api/keys';
import { diffQuery, workspaceQuery } from '../../../api/queries';
import type { DiffScope, DiffSource } from '../../../api/types';
import { EmptyState } from '../../../ui/EmptyState';
import { FailureNotice, Notice } from '../../../ui/Notice';
import { Segmented } from '../../../ui/Segmented';
import { Skeleton } from '../../../ui/Skeleton';
import { useTaskPage } from '../taskContext';
import { DiffFileView } from './DiffFileView';
import styles from './DiffTab.module.css';
import { foldedFiles } from './fold';

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
  const { task } = useTaskPage();
  const [scope, setScope] = useState<DiffScope>('all');
  const freshness = useLiveDiff(task.id, scope);
  const { data, error } = useQuery(diffQuery(task.id, scope));
  // A task without a workspace is not a mistake: it was not started yet, or it has landed.
  const hasNoWorkspace = error instanceof Failure && error.status === 409;
  const folded = foldedFiles((data?.files ?? []).map((file) => (file.additions ?? 0) + (file.deletions ?? 0)));
  const source = data === undefined ? null : SOURCES[data.source];
  return (
    <>
      <div className={styles.bar}>
        <Segmented label="Scope" options={SCOPES} value={scope} onChange={setScope} />
        <WorkspaceNote task={task.id} />
        {freshness === 'live' ? <span className={styles.note}>Live</span> : null}
      </div>
      <div className={styles.files}>
        {hasNoWorkspace ? <Notice tone="info">{error.message}</Notice> : <FailureNotice failure={error} />}
        {source === null ? null : <Notice tone="info">{source}</Notice>}
        {data === undefined && error === null ? <Skeleton what="the diff" /> : null}
        {data?.files.length === 0 ? <EmptyState title="No changes yet." /> : null}
        {data?.files.map((file, index) => (
          <DiffFileView key={file.path} file={file} isFolded={folded[index] ?? false} />
        ))}
        {data?.truncated === true ? <Notice tone="warning">More changed than is listed or shown.</Notice> : null}
      </div>
    </>
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
function WorkspaceNote({ task }: { task: string }) {
  const { data } = useQuery(workspaceQuery(task));
  if (data === undefined) {
    return null;
  }
  const { branch, ahead, behind, dirty, last_error, lock, path } = data;
  const changed = dirty === null ? 0 : dirty.staged + dirty.modified + dirty.untracked;
  const parts = [
    branch,
    ahead === null || behind === null ? null : `${ahead} ahead, ${behind} behind`,
    changed === 0 ? null : `${changed} uncommitted`,
    lock === null ? null : `in use by process ${lock.pid}`,
    last_error,
  ];
  return (
    <span className={styles.note} title={path}>
      {parts.filter((part) => part !== null).join(' · ')}
    </span>
  );
}
