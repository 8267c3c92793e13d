import { Link } from '@tanstack/react-router';
import { ChevronRight, Link2 } from 'lucide-react';

import { TaskActions } from '../../task/TaskActions';
import { Badge } from '../../ui/Badge';
import { copyText } from '../../ui/copyText';
import { Icon } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import styles from './TaskPage.module.css';
import { useTaskPage } from './taskContext';

interface TaskHeaderProps {
  /** Without the facts panel the header has the actions. */
  areActionsShown: boolean;
  isMenuOpen: boolean;
  setMenuOpen: (isOpen: boolean) => void;
}

/** Where the task is, its key and its title. */
export function TaskHeader({ areActionsShown, isMenuOpen, setMenuOpen }: TaskHeaderProps) {
  const { task, project, situated, workflow } = useTaskPage();
  const { meaning, label, icon } = situated.situation;
  const copy = () => copyText(`${window.location.origin}/projects/${project.slug}/${task.key}`, 'Link copied.');
  return (
    <header className={styles.header}>
      <Link to="/projects/$project" params={{ project: project.slug }} className={styles.project}>
        {project.name}
      </Link>
      <Icon icon={ChevronRight} size={14} className={styles.arrow} />
      <span className={styles.key}>{task.key}</span>
      <h1 className={styles.title} title={task.title}>
        {task.title}
      </h1>
      {areActionsShown ? (
        <Badge meaning={meaning} icon={icon}>
          {label}
        </Badge>
      ) : null}
      <span className={styles.space} />
      <IconButton icon={Link2} label="Copy link" onClick={copy} />
      {areActionsShown ? (
        <div className={styles.actions}>
          <TaskActions
            situated={situated}
            workflow={workflow}
            size="medium"
            isMenuOpen={isMenuOpen}
            onMenuChange={setMenuOpen}
          />
        </div>
      ) : null}
    </header>
  );
}
