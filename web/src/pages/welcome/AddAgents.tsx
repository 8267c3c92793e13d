import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { agentProgramsQuery } from '../../api/queries';
import type { Agent, AgentProgram } from '../../api/types';
import { Avatar } from '../../ui/Avatar';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { Checkbox } from '../../ui/Checkbox';
import { initials } from '../../ui/initials';
import { Loaded } from '../../ui/Loaded';
import { FailureNotice } from '../../ui/Notice';
import { Panel } from '../../ui/Panel';
import { plural } from '../../ui/words';
import { AGENT_KINDS, type AgentKind } from '../agents/agentKinds';
import { freeName, programWords, unusedPrograms } from '../agents/programs';
import styles from './AddAgents.module.css';

/** Adds an agent for each program that is chosen of those on the server. */
export function AddAgents({ agents }: { agents: readonly Agent[] }) {
  const cache = useQueryClient();
  const programs = useQuery(agentProgramsQuery());
  const found = unusedPrograms(programs.data ?? [], agents);
  const [changed, setChanged] = useState<ReadonlyMap<AgentKind, boolean>>(new Map());
  // A program without a login would fail at its first task.
  const isChosen = ({ kind, login }: AgentProgram) => changed.get(kind) ?? login !== 'signed_out';
  const chosen = found.filter(isChosen);
  const add = useMutation({
    mutationFn: async () => {
      for (const { kind } of chosen) {
        await commands.createAgent({ name: freeName(kind, agents), executor: { kind } });
      }
    },
    // Also after a refusal: those before it were added.
    onSettled: () => cache.invalidateQueries({ queryKey: keys.agents() }),
  });
  return (
    <Loaded what="the agent programs" query={programs}>
      {() => (
        <>
          <p>
            {found.length === 0
              ? 'An agent is a program that works on tasks, such as claude or codex. None is installed on this server.'
              : 'Found on this server. Choose which may work on tasks.'}
          </p>
          {found.length === 0 ? null : (
            <Panel className={styles.programs}>
              {found.map((program) => (
                <div key={program.kind} className={styles.program}>
                  <Checkbox
                    label={<span className="visually-hidden">{AGENT_KINDS[program.kind].label}</span>}
                    checked={isChosen(program)}
                    onChange={({ target }) => setChanged(new Map(changed).set(program.kind, target.checked))}
                  />
                  <Avatar kind="agent" letters={initials(program.program, program.kind)} size="large" />
                  <span className={styles.words}>
                    <strong>{AGENT_KINDS[program.kind].label}</strong>
                    <small>{programWords(program)}</small>
                  </span>
                  {program.login === 'signed_out' ? (
                    <Badge meaning="needs-you">Run {AGENT_KINDS[program.kind].login}</Badge>
                  ) : null}
                </div>
              ))}
            </Panel>
          )}
          <FailureNotice failure={add.error} />
          <div className={styles.buttons}>
            {found.length === 0 ? null : (
              <Button disabled={chosen.length === 0} busy={add.isPending} onClick={() => add.mutate()}>
                Add {plural(chosen.length, 'agent')}
              </Button>
            )}
            <ButtonLink to="/agents" look="ghost">
              Add another command
            </ButtonLink>
          </div>
        </>
      )}
    </Loaded>
  );
}
