import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Failure } from '../../api/failure';
import { diffQuery } from '../../api/queries';
import type { Diff, DiffFile, DiffScope } from '../../api/types';
import { Badge } from '../../ui/Badge';
import { Empty } from '../../ui/Empty';
import { SelectField } from '../../ui/Field';
import { Loading } from '../../ui/Loading';
import { FailureNotice, Notice } from '../../ui/Notice';
import { humanize } from '../../ui/words';
import { patchLines } from './patch';
import { WorkspaceFacts } from './WorkspaceFacts';

const SCOPES: Readonly<Record<DiffScope, string>> = {
  all: 'Everything since the branch began',
  branch: 'Committed on the branch',
  uncommitted: 'Not committed yet',
};

/** What the task changed in its workspace. */
export function DiffView({ task }: { task: string }) {
  const [scope, setScope] = useState<DiffScope>('all');
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
      </div>
      {noWorkspace ? <Notice tone="info">{error.message}</Notice> : <FailureNotice failure={error} />}
      {error !== null ? null : data === undefined ? <Loading what="the diff" /> : <Files diff={data} />}
    </>
  );
}

function Files({ diff }: { diff: Diff }) {
  if (diff.files.length === 0) {
    return <Empty title="Nothing changed." />;
  }
  return (
    <>
      {diff.files.map((file) => (
        <FileDiff key={file.path} file={file} />
      ))}
      {diff.truncated ? <Notice tone="warning">More files changed than are listed.</Notice> : null}
    </>
  );
}

function FileDiff({ file }: { file: DiffFile }) {
  return (
    <details className="file" open>
      <summary>
        <Badge>{humanize(file.change)}</Badge>
        <code>{file.old_path === null ? file.path : `${file.old_path} → ${file.path}`}</code>
        {file.additions === null ? null : <span className="plus">+{file.additions}</span>}
        {file.deletions === null ? null : <span className="minus">−{file.deletions}</span>}
      </summary>
      {file.patch === null ? (
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
