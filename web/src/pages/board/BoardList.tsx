import type { Project } from '../../api/types';
import { TaskRow } from '../../task/TaskRow';
import { GroupHeading } from '../../ui/GroupHeading';
import { humanize } from '../../ui/words';
import styles from './BoardPage.module.css';
import type { BoardData } from './useBoard';

/** The same tasks as one list by phase. */
export function BoardList({ board, project }: { board: BoardData; project: Project }) {
  return (
    <div className={styles.list}>
      {board.columns
        .filter(({ cards }) => cards.length > 0)
        .map(({ phase, cards, hasMore, loadMore }) => (
          <section key={phase} aria-label={humanize(phase)}>
            <GroupHeading
              title={humanize(phase)}
              count={`${cards.length}${hasMore ? '+' : ''}`}
              {...(hasMore ? { action: { label: 'Show more', onClick: loadMore } } : {})}
            />
            {cards.map((card) => (
              <TaskRow key={card.task.id} card={card} project={project} />
            ))}
          </section>
        ))}
    </div>
  );
}
