import { useQuery } from '@tanstack/react-query';

import { reviewsQuery } from '../../../api/queries';
import { EmptyState } from '../../../ui/EmptyState';
import { Loaded } from '../../../ui/Loaded';
import { useTaskPage } from '../taskContext';
import styles from './ChecksTab.module.css';
import { ReviewAttempt } from './ReviewAttempt';

/** Every attempt of the task at its gate, the latest first. */
export function ChecksTab() {
  const { task } = useTaskPage();
  const reviews = useQuery(reviewsQuery(task.id));
  const configured = task.review_config.ci_steps ?? [];
  return (
    <Loaded what="the checks" query={reviews}>
      {(list) =>
        list.length === 0 ? (
          <EmptyState
            title={configured.length === 0 ? 'No checks set. The task lands untested.' : 'The checks have not run yet.'}
          >
            <ul>
              {configured.map((command) => (
                <li key={command}>
                  <code>{command}</code>
                </li>
              ))}
            </ul>
          </EmptyState>
        ) : (
          <ol className={styles.page} aria-label="Attempts">
            {list
              .toSorted((one, other) => other.attempt_number - one.attempt_number)
              .map((review) => (
                <ReviewAttempt key={review.id} review={review} />
              ))}
          </ol>
        )
      }
    </Loaded>
  );
}
