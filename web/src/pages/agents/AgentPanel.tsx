import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ellipsis, KeyRound, Pause, Pencil, Play, ScanSearch, X } from 'lucide-react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { agentEnvironmentQuery, agentUsageQuery, projectsQuery } from '../../api/queries';
import type { Agent, AgentFinding } from '../../api/types';
import { sentence } from '../../task/sentence';
import { Avatar } from '../../ui/Avatar';
import { dollars, tokenCount } from '../../ui/amounts';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { FactList, ListedFact } from '../../ui/FactList';
import { IconButton } from '../../ui/IconButton';
import { initials } from '../../ui/initials';
import { Menu } from '../../ui/Menu';
import { FailureNotice } from '../../ui/Notice';
import { RelativeTime } from '../../ui/RelativeTime';
import { showToast } from '../../ui/toastStore';
import { plural } from '../../ui/words';
import styles from './AgentPanel.module.css';
import { AGENT_KINDS, POLICY_WORDS } from './agentKinds';
import { type AgentFindings, agentState } from './agentState';
import { joinCommand } from './commandLine';
import { ProbeResult } from './ProbeResult';

interface AgentPanelProps {
  agent: Agent;
  agents: readonly Agent[];
  findings: AgentFindings;
  onEdit: () => void;
  onClose: () => void;
}

/** Everything about one agent, with what can be done with it. */
export function AgentPanel({ agent, agents, findings, onEdit, onClose }: AgentPanelProps) {
  const cache = useQueryClient();
  const refresh = () => cache.invalidateQueries({ queryKey: keys.agents() });
  const isHeld = agent.paused || agent.waiting !== null;
  const toggle = useMutation({
    mutationFn: () => (isHeld ? commands.resumeAgent(agent.id) : commands.pauseAgent(agent.id)),
    onSuccess: refresh,
    onError: (error) => showToast({ text: error.message, tone: 'failed' }),
  });
  const probe = useMutation({ mutationFn: () => commands.probeAgent(agent.id), onSuccess: refresh });
  const state = agentState(agent, findings);
  const { login } = AGENT_KINDS[agent.executor.kind];
  // What it works on is listed below.
  const isWorking = state.meaning === 'working';
  const isSignedOut = agent.waiting?.reason === 'login';
  return (
    <section className={styles.panel} aria-label={`Agent ${agent.name}`}>
      <div className={styles.top}>
        <Avatar kind="agent" letters={initials(agent.name, agent.executor.kind)} size="large" />
        <div className={styles.names}>
          <h2 className={styles.name}>{agent.name}</h2>
          <div className={styles.note}>{AGENT_KINDS[agent.executor.kind].label}</div>
        </div>
        <IconButton icon={X} label="Close details" onClick={onClose} />
      </div>
      <div>
        <Badge meaning={state.meaning}>{isWorking ? 'Working' : state.words}</Badge>
      </div>
      {state.detail === null || isWorking ? null : <p className={styles.note}>{state.detail}</p>}
      <div className={styles.actions}>
        {isSignedOut ? (
          <Button
            look="primary"
            size="large"
            wide
            icon={KeyRound}
            busy={probe.isPending}
            onClick={() => probe.mutate()}
          >
            Check the login again
          </Button>
        ) : (
          <Button
            size="large"
            wide
            icon={isHeld ? Play : Pause}
            busy={toggle.isPending}
            onClick={() => toggle.mutate()}
          >
            {isHeld ? 'Resume' : 'Pause'}
          </Button>
        )}
        <Menu
          label={`More for ${agent.name}`}
          entries={[
            { id: 'edit', label: 'Edit', icon: Pencil, onSelect: onEdit },
            { id: 'probe', label: 'Check the program', icon: ScanSearch, onSelect: () => probe.mutate() },
            ...(isSignedOut
              ? [{ id: 'resume', label: 'Resume without a check', icon: Play, onSelect: () => toggle.mutate() }]
              : []),
          ]}
          trigger={<IconButton icon={Ellipsis} label={`More for ${agent.name}`} look="secondary" size="large" />}
        />
      </div>
      {isSignedOut && login !== undefined ? (
        <p className={styles.note}>
          Run <code>{login}</code> on the server, then check again.
        </p>
      ) : null}
      <FailureNotice failure={probe.error} />
      {probe.data === undefined ? null : <ProbeResult probe={probe.data} />}
      <Work title="Now" findings={findings.running} />
      <Work title="Last errors" findings={[...findings.stuck, ...findings.failed]} />
      <Facts agent={agent} agents={agents} />
      <Usage agent={agent} />
    </section>
  );
}

function Work({ title, findings }: { title: string; findings: readonly AgentFinding[] }) {
  const projects = useQuery(projectsQuery());
  return findings.length === 0 ? null : (
    <div className={styles.section}>
      <h3 className={styles.heading}>{title}</h3>
      <ul aria-label={title}>
        {findings.map(({ task_id, key, title: taskTitle, evidence, since, project_id }) => {
          const project = projects.data?.find(({ id }) => id === project_id)?.slug;
          const words = `${key} ${taskTitle}`;
          return (
            <li key={task_id} className={styles.work}>
              {project === undefined ? (
                <span>{words}</span>
              ) : (
                <Link to="/projects/$project/$taskKey" params={{ project, taskKey: key }} className={styles.link}>
                  {words}
                </Link>
              )}
              <span className={styles.note}>
                {sentence(evidence)}, <RelativeTime at={since} form="long" />
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Facts({ agent, agents }: Pick<AgentPanelProps, 'agent' | 'agents'>) {
  const { executor, roles, max_concurrent, fallback, project_id } = agent;
  const projects = useQuery(projectsQuery());
  const environment = useQuery(agentEnvironmentQuery(agent.id));
  const command = [...(executor.command ?? []), ...(executor.arguments ?? [])];
  const minutes = (seconds: number) => plural(Number((seconds / 60).toFixed(1)), 'minute');
  const policy = executor.policy ?? null;
  const variables = [...(environment.data?.set ?? []), ...(environment.data?.passed ?? [])];
  const missing = environment.data?.missing ?? [];
  return (
    <div className={styles.section}>
      <FactList>
        <ListedFact name="Roles">{roles.length === 0 ? 'Any' : roles.join(', ')}</ListedFact>
        {AGENT_KINDS[executor.kind].hasModel ? (
          <ListedFact name="Model">{executor.model ?? 'Default of the program'}</ListedFact>
        ) : null}
        {AGENT_KINDS[executor.kind].policies.length === 0 ? null : (
          <ListedFact name="Permissions">{policy === null ? 'Default of the kind' : POLICY_WORDS[policy]}</ListedFact>
        )}
        <ListedFact name="At once">{plural(max_concurrent, 'task')}</ListedFact>
        <ListedFact name="Fallback">
          {fallback === null ? 'None' : (agents.find(({ id }) => id === fallback)?.name ?? 'another agent')}
        </ListedFact>
        {project_id === null ? null : (
          <ListedFact name="Only for">
            {projects.data?.find(({ id }) => id === project_id)?.name ?? 'one project'}
          </ListedFact>
        )}
        {executor.timeout_seconds == null ? null : (
          <ListedFact name="Time limit">{minutes(executor.timeout_seconds)}</ListedFact>
        )}
        {executor.stalled_after_seconds == null ? null : (
          <ListedFact name="Quiet after">{minutes(executor.stalled_after_seconds)}</ListedFact>
        )}
        {environment.data?.api_key == null ? null : (
          <ListedFact name="Charged by">
            <code>{environment.data.api_key}</code>
          </ListedFact>
        )}
        {variables.length === 0 ? null : (
          <ListedFact name="Variables">
            <code>{variables.join(', ')}</code>
          </ListedFact>
        )}
        {missing.length === 0 ? null : (
          <ListedFact name="Not set">
            <code>{missing.join(', ')}</code>
          </ListedFact>
        )}
      </FactList>
      {command.length === 0 ? null : <code className={styles.command}>{joinCommand(command)}</code>}
    </div>
  );
}

function Usage({ agent }: { agent: Agent }) {
  const { data } = useQuery(agentUsageQuery(agent.id));
  return data === undefined ? null : (
    <div className={styles.section}>
      <h3 className={styles.heading}>Usage of all executions</h3>
      <FactList>
        <ListedFact name="Executions">{data.executions.toLocaleString('en')}</ListedFact>
        {data.usage.cost_micro_usd === null ? null : (
          <ListedFact name="Cost">{dollars(data.usage.cost_micro_usd)}</ListedFact>
        )}
        {data.usage.input_tokens + data.usage.output_tokens === 0 ? null : (
          <ListedFact name="Tokens">
            {tokenCount(data.usage.input_tokens)} in · {tokenCount(data.usage.output_tokens)} out
          </ListedFact>
        )}
      </FactList>
    </div>
  );
}
