import { useQuery } from '@tanstack/react-query';

import { agentsQuery, dependenciesQuery, meQuery, taskQuery, whyQuery } from '../../api/queries';
import type { Agent, Assignee, Dependency, Me, Task } from '../../api/types';
import { Link } from '../../app/router';
import { to } from '../../app/routes';
import { Badge } from '../../ui/Badge';
import { Time } from '../../ui/Time';
import { humanize } from '../../ui/words';
import { Aftermath } from './Aftermath';
import { Parent, Subtasks } from './Subtasks';
import { TaskBudget } from './TaskBudget';

/** What the task is, who has it and what it waits for. */
export function Overview({ task }: { task: Task }) {
  const agents = useQuery(agentsQuery());
  const me = useQuery(meQuery());
  const roles = Object.entries(task.roles);
  return (
    <section className="overview" aria-label="Overview">
      <div className="description">
        {task.description === '' ? (
          <p className="fine">No description.</p>
        ) : (
          <p className="prose">{task.description}</p>
        )}
      </div>
      <dl>
        {roles.map(([role, assignee]) => (
          <div key={role}>
            <dt>{humanize(role)}</dt>
            <dd>{holder(assignee, agents.data ?? [], me.data ?? null)}</dd>
          </div>
        ))}
        <Reasons task={task.id} />
        {task.dependencies.length === 0 ? null : <Dependencies task={task.id} />}
        {task.parent === null ? null : <Parent task={task.parent} subtask={task.subtask} />}
        <Subtasks task={task.id} />
        <Aftermath task={task} />
        {task.review_config.ci_steps === undefined || task.review_config.ci_steps.length === 0 ? null : (
          <div>
            <dt>Checks</dt>
            {task.review_config.ci_steps.map((step, index) => (
              <dd key={index}>
                <code>{step}</code>
              </dd>
            ))}
          </div>
        )}
        {task.pull_request === null ? null : <PullRequest shown={task.pull_request} />}
        <TaskBudget task={task} />
        <div>
          <dt>Priority</dt>
          <dd>{task.priority}</dd>
        </div>
        <div>
          <dt>Updated</dt>
          <dd>
            <Time at={task.updated_at} />
          </dd>
        </div>
      </dl>
    </section>
  );
}

/** What it lands by; the address is GitHub's word and only followed if it leads to a page. */
function PullRequest({ shown }: { shown: NonNullable<Task['pull_request']> }) {
  const name = `#${shown.number}`;
  return (
    <div>
      <dt>Pull request</dt>
      <dd>
        {/^https?:\/\//.test(shown.url) ? (
          <a href={shown.url} rel="noreferrer">
            {name}
          </a>
        ) : (
          name
        )}{' '}
        <Badge>{humanize(shown.state)}</Badge>
        {shown.waits_for === null ? null : ` waits for ${humanize(shown.waits_for).toLowerCase()}`}
      </dd>
    </div>
  );
}

/** Why no agent has it yet. */
function Reasons({ task }: { task: string }) {
  const why = useQuery(whyQuery(task));
  if (why.data === undefined || why.data.reasons.length === 0) {
    return null;
  }
  return (
    <div>
      <dt>Waits because</dt>
      {why.data.reasons.map(({ code, message }) => (
        <dd key={code}>{message}</dd>
      ))}
    </div>
  );
}

/** Of people, only one's own name is asked for yet. */
function holder({ agent_id, user_id }: Assignee, agents: readonly Agent[], me: Me | null): string {
  if (typeof agent_id === 'string') {
    return agents.find(({ id }) => id === agent_id)?.name ?? 'an agent';
  }
  return me !== null && me.user !== null && me.user.id === user_id ? me.user.name : 'a person';
}

function Dependencies({ task }: { task: string }) {
  const dependencies = useQuery(dependenciesQuery(task));
  return (
    <div>
      <dt>Waits for</dt>
      {dependencies.data?.map((dependency) => (
        <DependencyItem key={dependency.depends_on_id} dependency={dependency} />
      ))}
    </div>
  );
}

function DependencyItem({ dependency: { depends_on_id, status, satisfied } }: { dependency: Dependency }) {
  const other = useQuery(taskQuery(depends_on_id));
  return (
    <dd>
      <Link href={to.task(depends_on_id)}>
        {other.data === undefined ? 'another task' : `${other.data.key} ${other.data.title}`}
      </Link>{' '}
      <Badge tone={satisfied ? 'good' : 'plain'}>{humanize(status)}</Badge>
    </dd>
  );
}
