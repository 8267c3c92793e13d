import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';

import { agentsCheckQuery, agentsQuery } from '../../api/queries';
import type { Agent } from '../../api/types';
import { PageHeader } from '../../app/layout/PageHeader';
import { useMe } from '../../app/session/session';
import { useTitle } from '../../app/title';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { Loaded } from '../../ui/Loaded';
import { PHONE, useMedia } from '../../ui/media';
import { plural } from '../../ui/words';
import { AgentDialog, type AgentToEdit } from './AgentDialog';
import { AgentPanel } from './AgentPanel';
import { AgentRow } from './AgentRow';
import styles from './AgentsPage.module.css';
import { findingsOf } from './agentState';
import { FoundPrograms } from './FoundPrograms';

/** The agents: what each does now, what holds it, and what of each can be changed. */
export function AgentsPage() {
  const agents = useQuery(agentsQuery());
  const check = useQuery(agentsCheckQuery());
  const [edited, setEdited] = useState<AgentToEdit | null>(null);
  const isPhone = useMedia(PHONE);
  const { agent: chosen } = useSearch({ from: '/agents' });
  const navigate = useNavigate({ from: '/agents' });
  const isAdmin = useMe().user?.role === 'admin';
  useTitle('Agents');
  const working = new Set(check.data?.running.map(({ agent_id }) => agent_id)).size;
  const list = agents.data ?? [];
  const selected = list.find(({ name }) => name === chosen);
  const add = (
    <Button icon={Plus} onClick={() => setEdited({ kind: 'new' })}>
      Add agent
    </Button>
  );
  const close = () => void navigate({ search: {}, replace: true });
  return (
    <>
      <PageHeader title="Agents" note={`${plural(list.length, 'agent')}, ${working} working`}>
        {add}
      </PageHeader>
      <div className={styles.body}>
        {isPhone && selected !== undefined ? null : (
          <div className={styles.list}>
            {isAdmin ? (
              <FoundPrograms agents={list} onAdd={(kind) => setEdited({ kind: 'new', program: kind })} />
            ) : null}
            <Loaded what="the agents" query={agents}>
              {(loaded) =>
                loaded.length === 0 ? (
                  <EmptyState title="No agent yet. An agent is a program that works on tasks." actions={add} />
                ) : (
                  <AgentTable agents={loaded} selected={selected} />
                )
              }
            </Loaded>
          </div>
        )}
        {selected === undefined ? null : (
          <aside className={styles.panel} aria-label="Details">
            <AgentPanel
              key={selected.id}
              agent={selected}
              agents={list}
              findings={findingsOf(check.data, selected.id)}
              onEdit={() => setEdited({ kind: 'known', agent: selected })}
              onClose={close}
            />
          </aside>
        )}
      </div>
      {edited === null ? null : <AgentDialog edited={edited} agents={list} onClose={() => setEdited(null)} />}
    </>
  );
}

function AgentTable({ agents, selected }: { agents: readonly Agent[]; selected: Agent | undefined }) {
  const check = useQuery(agentsCheckQuery());
  return (
    <>
      <div className={styles.head} aria-hidden="true">
        <span className={styles.first}>Agent</span>
        <span className={styles.now}>Now</span>
        <span className={styles.number}>Tasks</span>
      </div>
      <ul aria-label="Agents">
        {agents.map((agent) => (
          <AgentRow
            key={agent.id}
            agent={agent}
            findings={findingsOf(check.data, agent.id)}
            isSelected={agent === selected}
          />
        ))}
      </ul>
    </>
  );
}
