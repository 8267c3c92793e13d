import { Link } from '@tanstack/react-router';

import type { Agent } from '../../api/types';
import { Avatar } from '../../ui/Avatar';
import { classNames } from '../../ui/classNames';
import { initials } from '../../ui/initials';
import { MeaningIcon } from '../../ui/MeaningIcon';
import colours from '../../ui/meaning.module.css';
import rows from '../../ui/TableRow.module.css';
import styles from './AgentsPage.module.css';
import { type AgentFindings, agentState } from './agentState';

interface AgentRowProps {
  agent: Agent;
  findings: AgentFindings;
  isSelected: boolean;
}

/** One agent: what it is and what it does now. It opens the details. */
export function AgentRow({ agent, findings, isSelected }: AgentRowProps) {
  const { name, executor, roles, max_concurrent } = agent;
  const state = agentState(agent, findings);
  const isUrgent = state.meaning === 'needs-you' || state.meaning === 'held';
  const what = [executor.kind, executor.model, roles.join(', ')].filter((part) => part != null && part !== '');
  return (
    <li>
      <Link
        to="/agents"
        search={{ agent: name }}
        replace
        aria-current={isSelected}
        className={classNames(rows.row, rows.tall, isSelected && rows.selected)}
      >
        <Avatar kind="agent" letters={initials(name, executor.kind)} size="large" />
        <span className={styles.agent}>
          <span className={styles.name}>{name}</span>
          <span className={styles.second}>{what.join(', ')}</span>
        </span>
        <span className={styles.now}>
          <MeaningIcon meaning={state.meaning} size={14} />
          <span className={styles.agent}>
            <span className={classNames(styles.name, isUrgent && classNames(colours[state.meaning], styles.urgent))}>
              {state.words}
            </span>
            {state.detail === null ? null : <span className={styles.second}>{state.detail}</span>}
          </span>
        </span>
        <span className={styles.number}>
          {new Set(findings.running.map(({ task_id }) => task_id)).size} of {max_concurrent}
        </span>
      </Link>
    </li>
  );
}
