import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { followDiff, type Freshness } from '../../api/diffStream';
import { Failure } from '../../api/failure';
import { keys } from '../../api/keys';
import { diffQuery } from '../../api/queries';
import type { Diff, DiffFile, DiffScope, DiffSource } from '../../api/types';
import { Badge } from '../../ui/Badge';
import { Empty } from '../../ui/Empty';
import { SelectField } from '../../ui/Field';
import { Loading } from '../../ui/Loading';
import { FailureNotice, Notice } from '../../ui/Notice';
import { humanize } from '../../ui/words';
import { foldedFiles } from './fold';
import { patchLines } from './patch';
import { WorkspaceFacts } from './WorkspaceFacts';

const SCOPES: Readonly<Record<DiffScope, string>> = {
  all: 'Everything since the branch began',
  branch: 'Committed on the branch',
  uncommitted: 'Not committed yet',
};

const SOURCES: Readonly<Record<DiffSource, string | null>> = {
  workspace: null,
  landed: 'This is what landed; the workspace is gone.',
  branch: 'The workspace is gone; this is what is left on the branch.',
};

/** What the task changed in its workspace, as it changes. */
export function DiffView({ task }: { task: string }) {
  const [scope, setScope] = useState<DiffScope>('all');
  const freshness = useLiveDiff(task, scope);
  const { data, error } = useQuery(diffQuery(task, scope));
  // A task without a workspace is not a mistake: it was not claimed yet, or it has landed.
  const noWorkspace = error instanceof Failure && error.status === 409;
  return (
    <>
      <WorkspaceFacts task={task} />
      <div className="diff-scope">
        <SelectField label="Show" value={scope} onChange={(event) => setScope(event.target.value as DiffScope)}>
          {Object.entries(SCOPES).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
        {freshness === 'live' ? <Badge tone="active">Live</Badge> : null}
      </div>
      {noWorkspace ? <Notice tone="info">{error.message}</Notice> : <FailureNotice failure={error} />}
      {error !== null ? null : data === undefined ? <Loading what="the diff" /> : <Files diff={data} />}
    </>
  );
}

/** Asks for the diff again whenever the server says that it is another. */
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

function Files({ diff }: { diff: Diff }) {
  const source = SOURCES[diff.source];
  const lines = diff.files.map((file) => (file.additions ?? 0) + (file.deletions ?? 0));
  const folded = foldedFiles(lines);
  return (
    <>
      {source === null ? null : <Notice tone="info">{source}</Notice>}
      {diff.files.length === 0 ? <Empty title="Nothing changed." /> : null}
      {diff.files.map((file, index) => (
        <FileDiff key={file.path} file={file} folded={folded[index] ?? false} />
      ))}
      {diff.truncated ? <Notice tone="warning">More changed than is listed or shown.</Notice> : null}
    </>
  );
}

function FileDiff({ file, folded }: { file: DiffFile; folded: boolean }) {
  const [open, setOpen] = useState(!folded);
  return (
    <details className="file" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Badge>{humanize(file.change)}</Badge>
        <code>{file.old_path === null ? file.path : `${file.old_path} → ${file.path}`}</code>
        {file.additions === null ? null : <span className="plus">+{file.additions}</span>}
        {file.deletions === null ? null : <span className="minus">−{file.deletions}</span>}
      </summary>
      {!open ? null : file.patch === null ? (
        <p className="fine">{file.binary ? 'Not text, so not shown.' : 'Too large to show.'}</p>
      ) : (
        <div className="patch" tabIndex={0} role="region" aria-label={`Changes of ${file.path}`}>
          <table>
            <tbody>
              {patchLines(file.patch).map((line, index) => (
                <tr key={index} data-kind={line.kind}>
                  <td className="number">{line.oldNumber}</td>
                  <td className="number">{line.newNumber}</td>
                  <td className="text">{line.text}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
