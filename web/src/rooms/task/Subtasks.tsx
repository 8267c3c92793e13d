import { useQuery } from '@tanstack/react-query';

import { subtasksQuery, taskQuery } from '../../api/queries';
import type { Subtask, Task } from '../../api/types';
import { Link } from '../../app/router';
import { to } from '../../app/routes';
import { Badge } from '../../ui/Badge';
import { humanize } from '../../ui/words';

/** What the task is part of. */
export function Parent({ task, subtask }: { task: string; subtask: Subtask | null }) {
  const parent = useQuery(taskQuery(task));
  return (
    <div>
      <dt>Part of</dt>
      <dd>
        <Link href={to.task(task)}>
          {parent.data === undefined ? 'another task' : `${parent.data.key} ${parent.data.title}`}
        </Link>{' '}
        {subtask === null ? null : <Place subtask={subtask} />}
      </dd>
    </div>
  );
}

/** What is part of the task: its turns in their order, then the others. */
export function Subtasks({ task }: { task: string }) {
  const parts = useQuery(subtasksQuery(task));
  if (parts.data === undefined || parts.data.length === 0) {
    return null;
  }
  return (
    <div>
      <dt>Subtasks</dt>
      {parts.data.map((part) => (
        <Part key={part.id} part={part} />
      ))}
    </div>
  );
}

function Part({ part: { id, key, title, status, subtask } }: { part: Task }) {
  return (
    <dd>
      <Link href={to.task(id)}>{`${key} ${title}`}</Link>{' '}
      <Badge tone="plain">{humanize(status)}</Badge>{' '}
      {subtask === null ? null : <Place subtask={subtask} />}
    </dd>
  );
}

function Place({ subtask: { mode, order, commit, no_changes } }: { subtask: Subtask }) {
  if (mode !== 'ordered_turn') {
    return null;
  }
  return (
    <span className="fine">
      turn {order}
      {commit === null ? null : <code> {commit.slice(0, 10)}</code>}
      {no_changes ? ', no changes' : null}
    </span>
  );
}
