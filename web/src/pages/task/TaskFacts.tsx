import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { executionsQuery, meQuery, usageQuery, workspaceQuery } from '../../api/queries';
import type { Assignee, Me, Task } from '../../api/types';
import { useAgent } from '../../task/useAgent';
import { NamedAvatar } from '../../ui/Avatar';
import { dollars, tokenCount } from '../../ui/amounts';
import { PriorityIcon } from '../../ui/PriorityIcon';
import { RelativeTime } from '../../ui/RelativeTime';
import { humanize } from '../../ui/words';
import styles from './FactsPanel.module.css';
import { cleanedWords, landedWords } from './landingWords';
import { PullRequestFact } from './PullRequestFact';
import { TaskBudget } from './TaskBudget';
import { useTaskPage } from './taskContext';

/** One line of the facts. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** What the task is and who has it. */
export function TaskFacts() {
  const { task } = useTaskPage();
  const me = useQuery(meQuery());
  return (
    <dl className={styles.facts}>
      <Fact name="State">{humanize(task.status)}</Fact>
      {Object.entries(task.roles).map(([role, assignee]) => (
        <Fact key={role} name={humanize(role)}>
          <Holder assignee={assignee} me={me.data ?? null} />
        </Fact>
      ))}
      <Fact name="Priority">
        <PriorityIcon priority={task.priority} /> {task.priority}
      </Fact>
      <BranchFacts task={task} />
      <UsageFacts task={task} />
      <TaskBudget task={task} />
      {task.pull_request === null ? null : <PullRequestFact shown={task.pull_request} />}
      {task.landing === null ? null : <Fact name="Landed">{landedWords(task.landing)}</Fact>}
      {task.cleanup === null ? null : (
        <Fact name="Removed">
          {cleanedWords(task.cleanup)}
          {task.cleanup.warnings.map((warning) => (
            <div key={warning} className={styles.note}>
              {warning}
            </div>
          ))}
        </Fact>
      )}
      {task.archived_at === null ? null : (
        <Fact name="Archived">
          <RelativeTime at={task.archived_at} form="long" />
        </Fact>
      )}
      <Fact name="Updated">
        <RelativeTime at={task.updated_at} form="long" />
      </Fact>
    </dl>
  );
}

function Holder({ assignee, me }: { assignee: Assignee; me: Me | null }) {
  const agent = useAgent(assignee.agent_id ?? null);
  if (typeof assignee.agent_id === 'string') {
    return <NamedAvatar kind="agent" name={agent?.name ?? 'an agent'} program={agent?.executor.kind} />;
  }
  const user = me?.user ?? null;
  return <NamedAvatar kind="user" name={user !== null && user.id === assignee.user_id ? user.name : 'a user'} />;
}

/** Where the task is worked on. Before the first execution there is no workspace to ask for. */
function BranchFacts({ task }: { task: Task }) {
  const executions = useQuery(executionsQuery(task.id));
  const { data } = useQuery({ ...workspaceQuery(task.id), enabled: (executions.data?.length ?? 0) > 0 });
  const target = task.merge_config.target_branch;
  return (
    <>
      {data?.branch == null ? null : (
        <Fact name="Branch">
          <code>{data.branch}</code>
          {data.ahead === null || data.behind === null ? null : (
            <div className={styles.note}>
              {data.ahead} ahead, {data.behind} behind
            </div>
          )}
        </Fact>
      )}
      {target == null ? null : (
        <Fact name="Target">
          <code>{target}</code>
        </Fact>
      )}
    </>
  );
}

function UsageFacts({ task }: { task: Task }) {
  const { data } = useQuery(usageQuery(task.id));
  if (data === undefined || data.executions === 0) {
    return null;
  }
  const { cost_micro_usd, input_tokens, output_tokens } = data.usage;
  const limit = data.budget?.cost_micro_usd;
  return (
    <>
      {cost_micro_usd === null ? null : (
        <Fact name="Cost">
          {dollars(cost_micro_usd)}
          {limit == null ? null : <span className={styles.note}> of {dollars(limit)}</span>}
        </Fact>
      )}
      <Fact name="Tokens">
        {tokenCount(input_tokens)} in · {tokenCount(output_tokens)} out
      </Fact>
    </>
  );
}
