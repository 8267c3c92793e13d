import { useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback } from 'react';

import type { Task } from '../../api/types';
import { PageHeader } from '../../app/layout/PageHeader';
import { useProject } from '../../app/layout/ProjectRoute';
import { openOverlay } from '../../app/overlayStore';
import { useTitle } from '../../app/title';
import { planActions } from '../../task/actionPlan';
import { useTaskActions } from '../../task/useTaskActions';
import { Button } from '../../ui/Button';
import { PHONE, useMedia } from '../../ui/media';
import { FailureNotice, Notice } from '../../ui/Notice';
import { Skeleton } from '../../ui/Skeleton';
import { BoardColumns } from './BoardColumns';
import { BoardEmpty } from './BoardEmpty';
import { BoardFilters } from './BoardFilters';
import { BoardList } from './BoardList';
import styles from './BoardPage.module.css';
import { BoardPhone } from './BoardPhone';
import { BulkBar } from './BulkBar';
import { DragHint } from './DragHint';
import { useBoard } from './useBoard';
import { useBoardDrag } from './useBoardDrag';
import { useBoardHotkeys } from './useBoardHotkeys';
import { useBoardSelection } from './useBoardSelection';
import { useMoveTask } from './useMoveTask';
import { useProjectMenu } from './useProjectMenu';

/** A project's board. */
export function BoardPage() {
  const project = useProject();
  const search = useSearch({ from: '/projects/$project/' });
  const isPhone = useMedia(PHONE);
  const { toggle, settings } = useProjectMenu(project);
  useTitle(`${project.name} board`);
  const board = useBoard(project, search);
  const selection = useBoardSelection();
  const move = useMoveTask(board.workflow);
  const start = useStart(board.workflow);
  const drag = useBoardDrag(board.workflow, { onMove: move, onStart: start });
  useBoardHotkeys(board, selection, project);
  const chosen = board.columns
    .flatMap(({ all }) => all)
    .filter(({ task }) => selection.choice.chosen.has(task.id))
    .map(({ task }) => task);
  const isEmpty = !board.isLoading && board.columns.every(({ all }) => all.length === 0);
  const isFiltered = search.text !== undefined || search.label !== undefined || search.agent !== undefined;
  return (
    <>
      <PageHeader title="Board" project={project} menu={{ label: 'Project menu', entries: [toggle, settings] }}>
        {isPhone ? null : (
          <>
            <Button look="ghost" icon={toggle.icon} onClick={toggle.onSelect}>
              {toggle.label}
            </Button>
            <Button
              look="primary"
              icon={Plus}
              hotkey="C"
              onClick={() => openOverlay({ kind: 'new-task', project: project.slug })}
            >
              New task
            </Button>
          </>
        )}
      </PageHeader>
      {isEmpty && !isFiltered ? null : <BoardFilters columns={board.columns} search={search} />}
      <div className={styles.notices} hidden={board.failure === null && project.paused_at === null}>
        <FailureNotice failure={board.failure} />
        {project.paused_at === null ? null : (
          <Notice tone="warning">The project is paused: agents start no task until it is resumed.</Notice>
        )}
      </div>
      {board.workflow === undefined ? (
        board.failure === null ? (
          <Skeleton what="the board" />
        ) : null
      ) : isEmpty ? (
        <BoardEmpty project={project} isFiltered={isFiltered} />
      ) : search.view === 'list' ? (
        <BoardList board={board} project={project} />
      ) : isPhone ? (
        <BoardPhone board={board} workflow={board.workflow} project={project} selection={selection} search={search} />
      ) : (
        <BoardColumns board={board} workflow={board.workflow} project={project} drag={drag} selection={selection} />
      )}
      {drag === null ? null : <DragHint drag={drag} />}
      {chosen.length === 0 || board.workflow === undefined ? null : (
        <BulkBar tasks={chosen} workflow={board.workflow} onClear={selection.choice.clear} />
      )}
    </>
  );
}

/** Starts a dragged task: at once if its agent is set, else the dialog asks for one. */
function useStart(workflow: ReturnType<typeof useBoard>['workflow']) {
  const perform = useTaskActions();
  return useCallback(
    (task: Task) => {
      if (workflow === undefined) {
        return;
      }
      const claim = {
        name: 'claim',
        label: 'Start',
        method: 'POST',
        path: `/api/v1/tasks/${task.id}/claim`,
        target: null,
        command: null,
        parameters: [{ name: 'agent_id', kind: 'agent' as const, required: false, choices: null }],
      };
      const plan = planActions([claim], { task, workflow, meaning: 'queued' });
      if (plan.primary !== null) {
        perform(task, plan.primary);
      }
    },
    [perform, workflow],
  );
}
