import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { agentsQuery } from '../../api/queries';
import type { Agent } from '../../api/types';
import { useTitle } from '../../app/title';
import { Answered } from '../../ui/Answered';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Empty } from '../../ui/Empty';
import { FailureNotice } from '../../ui/Notice';
import { joinCommand } from './commandLine';
import { Fallback } from './Fallback';
import { NewAgentForm } from './NewAgentForm';
import './agents.css';

/** The agents, and a way to add one. */
export function AgentsPage() {
  const agents = useQuery(agentsQuery());
  useTitle('Agents');
  return (
    <div className="page agents">
      <h1>Agents</h1>
      <Answered what="the agents" query={agents}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No agents yet." />
          ) : (
            <ul className="agent-list" aria-label="Agents">
              {list.map((agent) => (
                <AgentItem key={agent.id} agent={agent} agents={list} />
              ))}
            </ul>
          )
        }
      </Answered>
      <h2>Add a shell agent</h2>
      <NewAgentForm />
    </div>
  );
}

function AgentItem({ agent, agents }: { agent: Agent; agents: readonly Agent[] }) {
  const cache = useQueryClient();
  const toggle = useMutation({
    mutationFn: () => (agent.paused ? commands.resumeAgent(agent.id) : commands.pauseAgent(agent.id)),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.agents() }),
  });
  return (
    <li>
      <div className="agent-facts">
        <strong>{agent.name}</strong>
        {agent.paused ? <Badge tone="warning">Paused</Badge> : null}
        <span className="fine">
          {agent.roles.length === 0 ? 'any role' : agent.roles.join(', ')} · at most {agent.max_concurrent} at once
        </span>
      </div>
      <code className="command">{joinCommand(agent.executor.command ?? [agent.executor.kind])}</code>
      <Button
        busy={toggle.isPending}
        onClick={() => toggle.mutate()}
        aria-label={`${agent.paused ? 'Resume' : 'Pause'} ${agent.name}`}
      >
        {agent.paused ? 'Resume' : 'Pause'}
      </Button>
      {agents.length > 1 ? <Fallback agent={agent} agents={agents} /> : null}
      <FailureNotice failure={toggle.error} />
    </li>
  );
}
