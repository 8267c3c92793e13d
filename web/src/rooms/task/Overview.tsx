import { useQuery } from '@tanstack/react-query';

import { agentsQuery, dependenciesQuery, workspaceQuery } from '../../api/queries';
import type { Agent, Assignee, Task, Workspace } from '../../api/types';
import { Link } from '../../app/router';
import { to } from '../../app/routes';
import { Badge } from '../../ui/Badge';
import { Time } from '../../ui/Time';
import { humanize, shortCommit } from '../../ui/words';

/** What the task is, who has it and where it is worked on. */
export function Overview({ task }: { task: Task }) {
  const agents = useQuery(agentsQuery());
  // A task that nobody claimed has no workspace; that is no failure worth showing here.
  const workspace = useQuery(workspaceQuery(task.id));
  const roles = Object.entries(task.roles);
  return (
    <section className="overview" aria-label="Overview">
      <div className="description">
        {task.description === '' ? <p className="fine">No description.</p> : <p className="prose">{task.description}</p>}
      </div>
      <dl>
        {roles.map(([role, assignee]) => (
          <div key={role}>
            <dt>{humanize(role)}</dt>
            <dd>{holder(assignee, agents.data ?? [])}</dd>
          </div>
        ))}
        {task.dependencies.length === 0 ? null : <Dependencies task={task.id} />}
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
        {workspace.data === undefined ? null : <WorkspaceFacts workspace={workspace.data} />}
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

function holder({ agent_id, user_id }: Assignee, agents: readonly Agent[]): string {
  if (agent_id === null || agent_id === undefined) {
    return user_id === null || user_id === undefined ? 'nobody' : 'a person';
  }
  return agents.find(({ id }) => id === agent_id)?.name ?? 'an agent';
}

function Dependencies({ task }: { task: string }) {
  const dependencies = useQuery(dependenciesQuery(task));
  return (
    <div>
      <dt>Waits for</dt>
      {dependencies.data?.map(({ depends_on_id, status, satisfied }) => (
        <dd key={depends_on_id}>
          <Link href={to.task(depends_on_id)}>{shortCommit(depends_on_id)}</Link>{' '}
          <Badge tone={satisfied ? 'good' : 'plain'}>{humanize(status)}</Badge>
        </dd>
      ))}
    </div>
  );
}

function WorkspaceFacts({ workspace }: { workspace: Workspace }) {
  const { branch, path, ahead, behind, dirty, status, last_error } = workspace;
  const changed = dirty === null ? 0 : dirty.staged + dirty.modified + dirty.untracked;
  return (
    <div>
      <dt>Workspace</dt>
      <dd>
        <Badge>{humanize(status)}</Badge>
      </dd>
      {branch === null ? null : (
        <dd>
          <code>{branch}</code>
          {ahead === null || behind === null ? null : (
            <span className="fine">
              {' '}
              {ahead} ahead, {behind} behind
            </span>
          )}
        </dd>
      )}
      <dd>
        <code>{path}</code>
        {changed === 0 ? null : <span className="fine"> {changed} uncommitted</span>}
      </dd>
      {last_error === null ? null : <dd className="problem">{last_error}</dd>}
    </div>
  );
}
