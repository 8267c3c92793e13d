import type { Project } from '../api/types';
import { NamedAvatar } from '../ui/Avatar';
import { MeaningIcon } from '../ui/MeaningIcon';
import { RelativeTime } from '../ui/RelativeTime';
import { TableRowLink } from '../ui/TableRow';
import styles from './TaskRow.module.css';
import type { SituatedTask } from './useSituations';

interface TaskRowProps {
  card: SituatedTask;
  project: Project;
  /** Names the project, in lists over several. */
  isProjectShown?: boolean;
}

/** A task as one line of a list. */
export function TaskRow({ card: { task, situation, agent }, project, isProjectShown = false }: TaskRowProps) {
  return (
    <TableRowLink
      to="/projects/$project/$taskKey"
      params={{ project: project.slug, taskKey: task.key }}
      data-row={task.id}
    >
      <MeaningIcon meaning={situation.meaning} icon={situation.icon} />
      <span className="visually-hidden">{situation.label}</span>
      <span className={styles.key}>{task.key}</span>
      <span className={styles.title}>{task.title}</span>
      <span className={styles.reason}>{situation.reason}</span>
      <span className={styles.agent}>
        {agent === undefined ? (
          'Any agent'
        ) : (
          <NamedAvatar kind="agent" name={agent.name} program={agent.executor.kind} />
        )}
      </span>
      {isProjectShown ? <span className={styles.project}>{project.name}</span> : null}
      <span className={styles.age}>
        <RelativeTime at={task.landing?.at ?? task.updated_at} />
      </span>
    </TableRowLink>
  );
}
