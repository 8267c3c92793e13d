import { useQuery } from '@tanstack/react-query';

import { taskQuery } from '../../api/queries';
import type { Task } from '../../api/types';
import { Link } from '../../app/router';
import { to } from '../../app/routes';
import { cleanedWords, landedWords } from './aftermathWords';

/** What became of the task's work: where it comes from, how it landed, what was taken away, and what it led to. */
export function Aftermath({ task: { origin, landing, cleanup, reverted_by, regression } }: { task: Task }) {
  return (
    <>
      {origin === null ? null : (
        <Other name={origin.kind === 'revert' ? 'Takes back' : 'Mends'} task={origin.task_id} />
      )}
      {landing === null ? null : (
        <div>
          <dt>Landed</dt>
          <dd>{landedWords(landing)}</dd>
        </div>
      )}
      {cleanup === null ? null : (
        <div>
          <dt>Cleaned</dt>
          <dd>{cleanedWords(cleanup)}</dd>
          {cleanup.warnings.map((warning) => (
            <dd key={warning} className="fine">
              {warning}
            </dd>
          ))}
        </div>
      )}
      {reverted_by === null ? null : <Other name="Reverted by" task={reverted_by} />}
      {regression === null ? null : <Other name="Mended by" task={regression.fix_id} />}
      {regression === null || regression.checks.length === 0 ? null : (
        <div>
          <dt>Failed after landing</dt>
          {regression.checks.map(({ name, url }) => (
            <dd key={name}>{url === null ? name : <a href={url}>{name}</a>}</dd>
          ))}
        </div>
      )}
    </>
  );
}

function Other({ name, task }: { name: string; task: string }) {
  const other = useQuery(taskQuery(task));
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Link href={to.task(task)}>
          {other.data === undefined ? 'another task' : `${other.data.key} ${other.data.title}`}
        </Link>
      </dd>
    </div>
  );
}
