import { Link } from '@tanstack/react-router';

import type { Review } from '../../../api/types';
import type { Meaning } from '../../../task/meanings';
import { CheckPips } from '../../../ui/CheckPips';
import { classNames } from '../../../ui/classNames';
import { MeaningIcon } from '../../../ui/MeaningIcon';
import { RelativeTime } from '../../../ui/RelativeTime';
import { humanize } from '../../../ui/words';
import { useTaskPage } from '../taskContext';
import styles from './AttemptList.module.css';
import { checkStates } from './checkStates';

export const REVIEW_MEANINGS: Readonly<Record<Review['status'], Meaning>> = {
  running: 'checking',
  passed: 'landed',
  failed: 'failed',
  blocked: 'needs-you',
  no_changes: 'needs-you',
  superseded: 'ended',
};

/** Every attempt, the latest first; each is an address of its own. */
export function AttemptList({ reviews, shown }: { reviews: readonly Review[]; shown: number }) {
  const { task, project } = useTaskPage();
  return (
    <ol className={styles.list} aria-label="Attempts">
      {reviews.map((review) => (
        <li key={review.id}>
          <Link
            to="/projects/$project/$taskKey/checks"
            params={{ project: project.slug, taskKey: task.key }}
            search={{ attempt: review.attempt_number }}
            replace
            className={classNames(styles.attempt, review.attempt_number === shown && styles.shown)}
            aria-current={review.attempt_number === shown ? 'true' : undefined}
          >
            <MeaningIcon meaning={REVIEW_MEANINGS[review.status]} />
            <span className={styles.name}>Attempt {review.attempt_number}</span>
            <span className={styles.age}>
              <RelativeTime at={review.started_at} />
            </span>
            <span className={styles.status}>
              {humanize(review.status)} <CheckPips checks={checkStates(review)} />
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
