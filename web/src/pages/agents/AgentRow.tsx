import { useMutation, useQueryClient } from '@tanstack/react-query';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Agent, AgentFinding } from '../../api/types';
import { sentence } from '../../task/sentence';
import { Avatar } from '../../ui/Avatar';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { initials } from '../../ui/initials';
import { TableRow } from '../../ui/TableRow';
import { showToast } from '../../ui/toastStore';
import styles from './AgentsPage.module.css';
import { joinCommand } from './commandLine';
import { Fallback } from './Fallback';

interface AgentRowProps {
  agent: Agent;
  agents: readonly Agent[];
  /** What it works on. */
  findings: readonly AgentFinding[];
}

/** One agent: what it is, what it does now, and the way to pause it. */
export function AgentRow({ agent, agents, findings }: AgentRowProps) {
  const cache = useQueryClient();
  const isHeld = agent.paused || agent.waiting !== null;
  const toggle = useMutation({
    mutationFn: () => (isHeld ? commands.resumeAgent(agent.id) : commands.pauseAgent(agent.id)),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.agents() }),
    onError: (error) => showToast({ text: error.message, tone: 'failed' }),
  });
  const command = agent.executor.command ?? [agent.executor.kind];
  const roles = agent.roles.length === 0 ? 'any role' : agent.roles.join(', ');
  return (
    <li>
      <TableRow isTall>
        <Avatar kind="agent" letters={initials(agent.name, agent.executor.kind)} size="large" />
        <div className={styles.agent}>
          <div className={styles.name}>{agent.name}</div>
          <div className={styles.second} title={joinCommand(command)}>
            {agent.executor.kind}, {roles}, at once: {agent.max_concurrent}
          </div>
        </div>
        <div className={styles.now}>
          <AgentState agent={agent} findings={findings} />
        </div>
        <div className={styles.fallback}>{agents.length > 1 ? <Fallback agent={agent} agents={agents} /> : null}</div>
        <div className={styles.button}>
          <Button
            size="small"
            busy={toggle.isPending}
            onClick={() => toggle.mutate()}
            aria-label={`${isHeld ? 'Resume' : 'Pause'} ${agent.name}`}
          >
            {isHeld ? 'Resume' : 'Pause'}
          </Button>
        </div>
      </TableRow>
    </li>
  );
}

function AgentState({ agent, findings }: { agent: Agent; findings: readonly AgentFinding[] }) {
  const [first] = findings;
  if (agent.waiting !== null) {
    return (
      <>
        <Badge meaning={agent.waiting.reason === 'login' ? 'needs-you' : 'held'}>
          {agent.waiting.reason === 'login' ? 'Not signed in' : 'Rate limited'}
        </Badge>
        <div className={styles.second}>{sentence(agent.waiting.message)}</div>
      </>
    );
  }
  if (agent.paused) {
    return <Badge meaning="held">Paused</Badge>;
  }
  if (first === undefined) {
    return <div className={styles.second}>Idle</div>;
  }
  return (
    <>
      <div>
        {first.key} {first.title}
        {findings.length > 1 ? `, +${findings.length - 1} more` : ''}
      </div>
      <div className={styles.second}>{sentence(first.evidence)}</div>
    </>
  );
}
