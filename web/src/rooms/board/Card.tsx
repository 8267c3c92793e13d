import type { Agent, Conflict, Task, TaskWaiting } from '../../api/types';
import { Link } from '../../app/router';
import { to } from '../../app/routes';
import { Badge } from '../../ui/Badge';
import { humanize } from '../../ui/words';
import { clashBadge } from '../conflicts/clashes';
import { waitingBadge } from './waiting';

interface CardProps {
  task: Task;
  agents: readonly Agent[];
  waiting: TaskWaiting | undefined;
  conflicts: readonly Conflict[] | undefined;
}

/** A task on the board. */
export function Card({ task, agents, waiting, conflicts }: CardProps) {
  const badge = waitingBadge(waiting);
  const clash = clashBadge(task.id, conflicts);
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
        {badge === null ? null : (
          <Badge tone={badge.needsHand ? 'warning' : 'plain'} title={badge.title}>
            {badge.text}
          </Badge>
        )}
        {clash === null ? null : (
          <Badge tone="warning" title={clash.title}>
            {clash.text}
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
