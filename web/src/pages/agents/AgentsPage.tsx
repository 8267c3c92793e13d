import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';

import { agentsCheckQuery, agentsQuery } from '../../api/queries';
import { PageHeader } from '../../app/layout/PageHeader';
import { useTitle } from '../../app/title';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { Loaded } from '../../ui/Loaded';
import { AgentRow } from './AgentRow';
import styles from './AgentsPage.module.css';
import { NewAgentDialog } from './NewAgentDialog';

/** The agents: what each does now and what holds it. */
export function AgentsPage() {
  const agents = useQuery(agentsQuery());
  const check = useQuery(agentsCheckQuery());
  const [isAdding, setAdding] = useState(false);
  useTitle('Agents');
  const working = new Set(check.data?.running.map(({ agent_id }) => agent_id)).size;
  const add = (
    <Button icon={Plus} onClick={() => setAdding(true)}>
      Add agent
    </Button>
  );
  return (
    <>
      <PageHeader title="Agents" note={`${agents.data?.length ?? 0} agents, ${working} working`}>
        {add}
      </PageHeader>
      <div className={styles.scroll}>
        <Loaded what="the agents" query={agents}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState title="No agent yet. An agent is a program that works on tasks." actions={add} />
            ) : (
              <>
                <div className={styles.head} aria-hidden="true">
                  <span className={styles.agent}>Agent</span>
                  <span className={styles.now}>Now</span>
                  <span className={styles.fallback}>Fallback</span>
                  <span className={styles.button} />
                </div>
                <ul aria-label="Agents">
                  {list.map((agent) => (
                    <AgentRow
                      key={agent.id}
                      agent={agent}
                      agents={list}
                      findings={check.data?.running.filter(({ agent_id }) => agent_id === agent.id) ?? []}
                    />
                  ))}
                </ul>
              </>
            )
          }
        </Loaded>
      </div>
      {isAdding ? <NewAgentDialog onClose={() => setAdding(false)} /> : null}
    </>
  );
}
