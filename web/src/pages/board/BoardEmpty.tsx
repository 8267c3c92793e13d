import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { agentsQuery, reposQuery } from '../../api/queries';
import type { Project } from '../../api/types';
import { openOverlay } from '../../app/overlayStore';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { EmptyState } from '../../ui/EmptyState';
import { AddRepository } from '../welcome/AddRepository';

/** What to do on a board without tasks: the step that is next is the primary action. */
export function BoardEmpty({ project, isFiltered }: { project: Project; isFiltered: boolean }) {
  const navigate = useNavigate({ from: '/projects/$project/' });
  const repos = useQuery(reposQuery(project.id));
  const agents = useQuery(agentsQuery());
  if (isFiltered) {
    return (
      <EmptyState
        title="No task matches."
        actions={<Button onClick={() => void navigate({ search: {}, replace: true })}>Clear filter</Button>}
      />
    );
  }
  if (project.workspace_type === 'git_worktree' && repos.data?.length === 0) {
    return (
      <EmptyState title="This project has no repository yet. Add one to run tasks on it.">
        <AddRepository project={project} />
      </EmptyState>
    );
  }
  if (agents.data?.length === 0) {
    return (
      <EmptyState
        title="No agent yet. An agent is a program that works on tasks."
        actions={
          <>
            <ButtonLink to="/agents" look="primary">
              Add an agent
            </ButtonLink>
            <Button onClick={() => openOverlay({ kind: 'new-task', project: project.slug })}>New task</Button>
          </>
        }
      />
    );
  }
  return (
    <EmptyState
      title="Create your first task. Describe what you want, choose an agent and press Start."
      actions={
        <Button look="primary" hotkey="C" onClick={() => openOverlay({ kind: 'new-task', project: project.slug })}>
          New task
        </Button>
      }
    />
  );
}
