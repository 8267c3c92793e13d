import { Link } from '@tanstack/react-router';

import { isUnderWay } from '../../api/phases';
import type { Project, WorkflowView } from '../../api/types';
import type { BoardSearch } from '../../app/search';
import { humanize } from '../../ui/words';
import { BoardColumn } from './BoardColumn';
import styles from './BoardPage.module.css';
import type { BoardData } from './useBoard';
import type { BoardSelection } from './useBoardSelection';

interface BoardPhoneProps {
  board: BoardData;
  workflow: WorkflowView;
  project: Project;
  selection: BoardSelection;
  search: BoardSearch;
}

/** Phases as tabs, and the cards of one of them. */
export function BoardPhone({ board, workflow, project, selection, search }: BoardPhoneProps) {
  const filled = board.columns.filter(({ all }) => all.length > 0);
  const busiest = filled.find(({ phase }) => isUnderWay(phase)) ?? filled[0];
  const shown = board.columns.find(({ phase }) => phase === search.phase) ?? busiest ?? board.columns[0];
  return (
    <div className={styles.phone}>
      <nav className={styles.phases} aria-label="Phases">
        {board.columns.map(({ phase, count }) => (
          <Link
            key={phase}
            to="/projects/$project"
            params={{ project: project.slug }}
            search={(before) => ({ ...before, phase })}
            replace
            aria-current={phase === shown?.phase}
            className={styles.phase}
          >
            {humanize(phase)} <span className={styles.count}>{count}</span>
          </Link>
        ))}
      </nav>
      {shown === undefined ? null : (
        <BoardColumn
          key={shown.phase}
          column={shown}
          project={project}
          workflow={workflow}
          drag={null}
          selection={selection}
          isPhone
          isSlim={false}
          onToggle={() => undefined}
        />
      )}
    </div>
  );
}
