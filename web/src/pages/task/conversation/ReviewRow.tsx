import { Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';

import type { Review } from '../../../api/types';
import { CheckPips } from '../../../ui/CheckPips';
import { Icon } from '../../../ui/Icon';
import { durationWords } from '../../../ui/timeWords';
import { humanize } from '../../../ui/words';
import { checkStates } from '../checks/checkStates';
import { useTaskPage } from '../taskContext';
import styles from './ConversationRow.module.css';

/** An attempt at the gate in the timeline. */
export function ReviewRow({ review }: { review: Review }) {
  const { task, project } = useTaskPage();
  const { attempt_number, status, started_at, finished_at } = review;
  return (
    <div className={styles.heading}>
      <Link
        to="/projects/$project/$taskKey/checks"
        params={{ project: project.slug, taskKey: task.key }}
        search={{ attempt: attempt_number }}
        className={styles.toggle}
      >
        <Icon icon={ListChecks} size={14} />
        <span className={styles.label}>
          Checks, attempt {attempt_number}: {humanize(status).toLowerCase()}
        </span>
        <CheckPips checks={checkStates(review)} />
        <span className={styles.rule} />
        <span className={styles.facts}>
          {finished_at === null ? 'running' : durationWords(Date.parse(finished_at) - Date.parse(started_at))}
        </span>
      </Link>
    </div>
  );
}
