import { useQuery } from '@tanstack/react-query';

import { agentProgramsQuery } from '../../api/queries';
import type { Agent } from '../../api/types';
import { Avatar } from '../../ui/Avatar';
import { Button } from '../../ui/Button';
import { initials } from '../../ui/initials';
import styles from './AgentsPage.module.css';
import { AGENT_KINDS, type AgentKind } from './agentKinds';
import { programWords, unusedPrograms } from './programs';

interface FoundProgramsProps {
  agents: readonly Agent[];
  onAdd: (kind: AgentKind) => void;
}

/** The agent programs that are installed on the server and that no agent runs yet. */
export function FoundPrograms({ agents, onAdd }: FoundProgramsProps) {
  const programs = useQuery(agentProgramsQuery());
  const found = unusedPrograms(programs.data ?? [], agents);
  return found.length === 0 ? null : (
    <section className={styles.found} aria-labelledby="found-programs">
      <h2 id="found-programs" className={styles.heading}>
        Found on this server, not added yet
      </h2>
      <ul className={styles.programs}>
        {found.map((program) => (
          <li key={program.kind} className={styles.program}>
            <Avatar kind="agent" letters={initials(program.program, program.kind)} size="large" />
            <span className={styles.agent}>
              <span className={styles.name}>{AGENT_KINDS[program.kind].label}</span>
              <span className={styles.second}>{programWords(program)}</span>
            </span>
            <Button
              size="small"
              aria-label={`Add ${AGENT_KINDS[program.kind].label}`}
              onClick={() => onAdd(program.kind)}
            >
              Add
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
