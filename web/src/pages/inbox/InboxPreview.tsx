import { useQuery } from '@tanstack/react-query';
import { ArrowUpRight, Clock } from 'lucide-react';

import { taskQuery, workflowQuery } from '../../api/queries';
import type { NeedsPerson, Task } from '../../api/types';
import { personReasonLook, personReasonWords } from '../../task/personReasons';
import { TaskActions } from '../../task/TaskActions';
import { useSituations } from '../../task/useSituations';
import { NamedAvatar } from '../../ui/Avatar';
import { Badge } from '../../ui/Badge';
import { ButtonLink } from '../../ui/ButtonLink';
import { Icon } from '../../ui/Icon';
import { Loaded } from '../../ui/Loaded';
import { Markdown } from '../../ui/Markdown';
import { RelativeTime } from '../../ui/RelativeTime';
import styles from './InboxPreview.module.css';

/** What needs the user, with the action that answers it. */
export function InboxPreview({ item }: { item: NeedsPerson }) {
  const task = useQuery(taskQuery(item.task_id));
  const look = personReasonLook(item.reason);
  return (
    <div className={styles.preview}>
      <div className={styles.top}>
        <Badge meaning={look.isFailure ? 'failed' : 'needs-you'} icon={look.icon}>
          {look.label}
        </Badge>
        {item.project_name} · {item.key}
        <span className={styles.space} />
        <ButtonLink
          to="/projects/$project/$taskKey"
          params={{ project: item.project_slug, taskKey: item.key }}
          look="ghost"
          size="small"
          icon={ArrowUpRight}
        >
          Open task
        </ButtonLink>
      </div>
      <h2 className={styles.title}>{item.title}</h2>
      <Loaded what="the task" query={task}>
        {(shown) => <PreviewBody task={shown} item={item} />}
      </Loaded>
    </div>
  );
}

function PreviewBody({ task, item }: { task: Task; item: NeedsPerson }) {
  const workflow = useQuery(workflowQuery(task.project_id));
  const situated = useSituations(task.project_id, workflow.data)(task);
  return (
    <>
      <div className={styles.facts}>
        {situated.agent === undefined ? null : (
          <NamedAvatar kind="agent" name={situated.agent.name} program={situated.agent.executor.kind} />
        )}
        <span className={styles.fact}>
          <Icon icon={Clock} size={14} />
          waits since <RelativeTime at={item.since} />
        </span>
      </div>
      <p className={styles.message}>{personReasonWords(item)}</p>
      {item.files.length === 0 ? null : (
        <ul className={styles.files} aria-label="Files">
          {item.files.map((file) => (
            <li key={file}>
              <code>{file}</code>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        <TaskActions situated={situated} workflow={workflow.data} />
      </div>
      {task.description === '' ? null : (
        <>
          <h3 className={styles.heading}>Description</h3>
          <Markdown source={task.description} />
        </>
      )}
    </>
  );
}
