import { useState } from 'react';

import { isLater } from '../../api/phases';
import type { Phase, Project, WorkflowView } from '../../api/types';
import { BoardColumn } from './BoardColumn';
import styles from './BoardPage.module.css';
import type { BoardData } from './useBoard';
import type { BoardDrag } from './useBoardDrag';
import type { BoardSelection } from './useBoardSelection';

interface BoardColumnsProps {
  board: BoardData;
  workflow: WorkflowView;
  project: Project;
  drag: BoardDrag | null;
  selection: BoardSelection;
}

/** The phases side by side. Empty columns are slim until they are opened, and so is the backlog beside other tasks. */
export function BoardColumns({ board, workflow, project, drag, selection }: BoardColumnsProps) {
  const [toggled, setToggled] = useState<ReadonlySet<Phase>>(new Set());
  const toggle = (phase: Phase) =>
    setToggled(
      (before) => new Set(before.has(phase) ? [...before].filter((one) => one !== phase) : [...before, phase]),
    );
  return (
    <section className={styles.columns} aria-label="Board">
      {board.columns.map((column) => {
        const isEmpty = column.all.length === 0 && !column.isLoading;
        const isAside =
          isLater(column.phase) && board.columns.some(({ phase, all }) => !isLater(phase) && all.length > 0);
        return (
          <BoardColumn
            key={column.phase}
            column={column}
            project={project}
            workflow={workflow}
            drag={drag}
            selection={selection}
            isPhone={false}
            isSlim={(isEmpty || isAside) !== toggled.has(column.phase)}
            onToggle={() => toggle(column.phase)}
          />
        );
      })}
    </section>
  );
}
