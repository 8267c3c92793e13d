import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

import { agentsQuery, projectsQuery } from '../../api/queries';
import { nameOf, useMe } from '../../app/session/session';
import { useTitle } from '../../app/title';
import { classNames } from '../../ui/classNames';
import { Icon } from '../../ui/Icon';
import { AddAgents } from './AddAgents';
import { AddRepository } from './AddRepository';
import { RunDemo } from './RunDemo';
import styles from './SetupPage.module.css';
import { TaskLife } from './TaskLife';

/** The first run, and later the way to a further project. */
export function SetupPage() {
  const me = useMe();
  const isAdmin = me.user?.role === 'admin';
  const projects = useQuery(projectsQuery());
  const agents = useQuery(agentsQuery());
  const isFirst = (projects.data?.length ?? 0) === 0;
  const agentCount = agents.data?.length ?? 0;
  useTitle(isFirst ? 'Welcome' : 'Add a project');
  return (
    <div className={styles.page}>
      <div className={styles.steps}>
        <div>
          <h1 className={styles.title}>{isFirst ? 'Set up your first project' : 'Add a project'}</h1>
          <p className={styles.lead}>Your checkout is never touched. Agents work in their own worktrees.</p>
        </div>
        <SetupStep number={1} name="You" state="finished">
          Signed in as {nameOf(me)}
        </SetupStep>
        <SetupStep number={2} name="Repository" state="present">
          <AddRepository />
        </SetupStep>
        <SetupStep number={3} name="Agents" state={agentCount > 0 ? 'finished' : 'next'}>
          {agentCount > 0 ? (
            `${agentCount} ${agentCount === 1 ? 'agent is' : 'agents are'} set up.`
          ) : isAdmin ? (
            <AddAgents agents={agents.data ?? []} />
          ) : (
            'An agent is a program that works on tasks. Ask an admin to add one.'
          )}
        </SetupStep>
        <SetupStep number={4} name="First task" state="next">
          Describe it, choose an agent, then press Start.
        </SetupStep>
      </div>
      <aside className={styles.side}>
        <TaskLife />
        <RunDemo />
      </aside>
    </div>
  );
}

interface SetupStepProps {
  number: number;
  name: string;
  state: 'finished' | 'present' | 'next';
  children: ReactNode;
}

function SetupStep({ number, name, state, children }: SetupStepProps) {
  return (
    <section className={styles.step} aria-label={name}>
      <span className={classNames(styles.number, state !== 'next' && styles[state])}>
        {state === 'finished' ? <Icon icon={Check} /> : number}
      </span>
      <h2 className={styles.name}>{name}</h2>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
