import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import {
  agentsQuery,
  conflictsQuery,
  projectQuery,
  reposQuery,
  tasksQuery,
  waitingQuery,
  workflowQuery,
} from '../../api/queries';
import { Link } from '../../app/router';
import { to } from '../../app/routes';
import { useTitle } from '../../app/title';
import { Answered } from '../../ui/Answered';
import { Button } from '../../ui/Button';
import { Loading } from '../../ui/Loading';
import { FailureNotice, Notice } from '../../ui/Notice';
import { conflictsByTask } from '../conflicts/clashes';
import { AddRepository } from '../welcome/AddRepository';
import { Board } from './Board';
import { columnsOf } from './columns';
import { NewTaskForm } from './NewTaskForm';
import { PauseProject } from './PauseProject';
import { ProjectBudget } from './ProjectBudget';
import { Repositories } from './Repositories';
import './board.css';

/** A project's board. */
export function BoardPage({ id }: { id: string }) {
  const project = useQuery(projectQuery(id));
  useTitle(project.data?.name);
  const repos = useQuery(reposQuery(id));
  const workflow = useQuery(workflowQuery(id));
  const agents = useQuery(agentsQuery());
  const tasks = useInfiniteQuery(tasksQuery(id));
  // A board without the reasons is still a board: their failure is none of it.
  const waiting = useQuery(waitingQuery(id));
  const conflicts = useQuery(conflictsQuery(id));
  const [creating, setCreating] = useState(false);
  const failure = repos.error ?? workflow.error ?? agents.error ?? tasks.error;
  return (
    <Answered what="the project" query={project}>
      {(shown) => (
        <div className="board-page">
          <div className="board-head">
            <h1>{shown.name}</h1>
            <Link href={to.conflicts(id)}>Conflicts{countOf(conflicts.data?.conflicts.length)}</Link>
            <Link href={to.train(id)}>Train</Link>
            <Repositories repos={repos.data ?? []} />
            <ProjectBudget project={shown} />
            <PauseProject project={shown} />
            <Button primary={!creating} aria-expanded={creating} onClick={() => setCreating(!creating)}>
              New task
            </Button>
          </div>
          <FailureNotice failure={failure} />
          {shown.paused_at === null ? null : (
            <Notice tone="warning">The project is paused: agents claim nothing until it is resumed.</Notice>
          )}
          {shown.workspace_type === 'git_worktree' && repos.data?.length === 0 ? (
            <section aria-label="Repository">
              <Notice tone="info">This project has no repository yet. Add one to run tasks on it.</Notice>
              <AddRepository project={id} />
            </section>
          ) : null}
          {creating && workflow.data !== undefined ? (
            <NewTaskForm
              project={id}
              workflow={workflow.data}
              agents={agents.data ?? []}
              onClose={() => setCreating(false)}
            />
          ) : null}
          {workflow.data === undefined || tasks.data === undefined ? (
            failure === null ? (
              <Loading what="the board" />
            ) : null
          ) : (
            <Board
              columns={columnsOf(
                workflow.data,
                tasks.data.pages.flatMap((page) => page.items),
              )}
              agents={agents.data ?? []}
              waiting={new Map(waiting.data?.map((one) => [one.task_id, one]))}
              conflicts={conflictsByTask(conflicts.data)}
            />
          )}
          {tasks.hasNextPage ? (
            <div className="more">
              <Button busy={tasks.isFetchingNextPage} onClick={() => void tasks.fetchNextPage()}>
                Load older tasks
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </Answered>
  );
}

const countOf = (count: number | undefined) => (count === undefined || count === 0 ? '' : ` (${count})`);
