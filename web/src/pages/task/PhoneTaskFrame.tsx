import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode, Ref } from 'react';

import { TaskActions } from '../../task/TaskActions';
import { Badge } from '../../ui/Badge';
import { Icon } from '../../ui/Icon';
import { RelativeTime } from '../../ui/RelativeTime';
import styles from './TaskPage.module.css';
import { TaskTabs } from './TaskTabs';
import { useTaskPage } from './taskContext';

/** A task on a phone: content first, the primary action at the bottom. */
export function PhoneTaskFrame({ toolsRef, children }: { toolsRef: Ref<HTMLDivElement>; children: ReactNode }) {
  const { task, project, situated, workflow } = useTaskPage();
  const { meaning, label, icon } = situated.situation;
  return (
    <>
      <header className={styles.header}>
        <Link to="/projects/$project" params={{ project: project.slug }} className={styles.project}>
          <Icon icon={ChevronLeft} /> {project.name}
        </Link>
      </header>
      <div className={styles.phoneHead}>
        <div className={styles.phoneLine}>
          <Badge meaning={meaning} icon={icon}>
            {label}
          </Badge>
          {task.key}
          <span className={styles.space} />
          <RelativeTime at={task.updated_at} form="long" />
        </div>
        <h1 className={styles.phoneTitle}>{task.title}</h1>
      </div>
      <TaskTabs toolsRef={toolsRef} />
      <div className={styles.tab}>{children}</div>
      <div className={styles.bottom}>
        <TaskActions situated={situated} workflow={workflow} />
      </div>
    </>
  );
}
