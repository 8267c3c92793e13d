import { TaskActions } from '../../task/TaskActions';
import { Badge, Tag } from '../../ui/Badge';
import { PHONE, useMedia } from '../../ui/media';
import { ExecutionList } from './ExecutionList';
import styles from './FactsPanel.module.css';
import { RelatedTasks } from './RelatedTasks';
import { TaskFacts } from './TaskFacts';
import { useTaskPage } from './taskContext';
import { WhyNote } from './WhyNote';

interface FactsPanelProps {
  isMenuOpen?: boolean;
  setMenuOpen?: (isOpen: boolean) => void;
}

/** Status with one primary action, then the facts, executions and relations. */
export function FactsPanel({ isMenuOpen, setMenuOpen }: FactsPanelProps) {
  const { task, situated, workflow } = useTaskPage();
  const { meaning, label, icon } = situated.situation;
  const isPhone = useMedia(PHONE);
  return (
    <div className={styles.panel}>
      <div role="status" aria-label="Status">
        <Badge meaning={meaning} icon={icon}>
          {label}
        </Badge>
      </div>
      <WhyNote />
      {isPhone ? null : (
        <div className={styles.actions}>
          <TaskActions situated={situated} workflow={workflow} isMenuOpen={isMenuOpen} onMenuChange={setMenuOpen} />
        </div>
      )}
      <div className={styles.section}>
        <TaskFacts />
      </div>
      <ExecutionList />
      <RelatedTasks />
      {task.labels.length === 0 ? null : (
        <div className={styles.labels}>
          {task.labels.map((one) => (
            <Tag key={one}>{one}</Tag>
          ))}
        </div>
      )}
    </div>
  );
}
