import type { Agent, Conflict, TaskWaiting } from '../../api/types';
import { useNarrow } from '../../ui/media';
import { humanize } from '../../ui/words';
import { Card } from './Card';
import { type Column, phasesOf } from './columns';

interface BoardProps {
  columns: readonly Column[];
  agents: readonly Agent[];
  /** Why tasks wait, by their id. */
  waiting: ReadonlyMap<string, TaskWaiting>;
  /** The conflicts of each task's branch, by its id. */
  conflicts: ReadonlyMap<string, readonly Conflict[]>;
}

/** The columns side by side, or below each other by phase where there is no room. */
export function Board({ columns, ...shared }: BoardProps) {
  const narrow = useNarrow();
  if (!narrow) {
    return (
      <div className="board" role="group" aria-label="Board" tabIndex={0}>
        {columns.map((column) => (
          <ColumnView key={column.state} column={column} {...shared} />
        ))}
      </div>
    );
  }
  return (
    <div className="board-narrow" role="group" aria-label="Board">
      {phasesOf(columns).map(({ phase, columns: own }) => (
        <section key={phase} className="phase" aria-label={`Phase ${humanize(phase)}`}>
          <h2>{humanize(phase)}</h2>
          {own.map((column) => (
            <ColumnView key={column.state} column={column} {...shared} />
          ))}
        </section>
      ))}
    </div>
  );
}

type ColumnProps = Omit<BoardProps, 'columns'> & { column: Column };

function ColumnView({ column, agents, waiting, conflicts }: ColumnProps) {
  const name = humanize(column.state);
  return (
    <section className="column" aria-label={name} data-empty={column.tasks.length === 0} data-state={column.state}>
      <h3>
        <span>{name}</span> <span className="count">{column.tasks.length}</span>
      </h3>
      <ul>
        {column.tasks.map((task) => (
          <Card
            key={task.id}
            task={task}
            agents={agents}
            waiting={waiting.get(task.id)}
            conflicts={conflicts.get(task.id)}
          />
        ))}
      </ul>
    </section>
  );
}
