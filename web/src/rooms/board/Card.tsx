import type { Agent, Task } from '../../api/types';
import { Link } from '../../app/router';
import { to } from '../../app/routes';
import { Badge } from '../../ui/Badge';
import { humanize } from '../../ui/words';

/** A task on the board. */
export function Card({ task, agents }: { task: Task; agents: readonly Agent[] }) {
  const holders = new Set(Object.values(task.roles).map(({ agent_id }) => agent_id));
  const names = agents.filter(({ id }) => holders.has(id)).map(({ name }) => name);
  return (
    <li className="card" data-trouble={task.error_annotation !== null}>
      <Link href={to.task(task.id)}>
        <span className="key">{task.key}</span> {task.title}
      </Link>
      <p className="card-facts">
        {task.busy === null ? null : <Badge tone="active">{humanize(task.busy)}</Badge>}
        {task.error_annotation === null ? null : (
          <Badge tone="bad" title={task.error_annotation.message}>
            {humanize(task.error_annotation.type)}
          </Badge>
        )}
        {task.labels.map((label) => (
          <Badge key={label}>{label}</Badge>
        ))}
        {names.length === 0 ? null : <span className="fine agents-of">{names.join(', ')}</span>}
      </p>
    </li>
  );
}
