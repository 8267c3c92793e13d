import { useQuery } from '@tanstack/react-query';

import { reviewsQuery } from '../../api/queries';
import type { Review } from '../../api/types';
import { Answered } from '../../ui/Answered';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { Empty } from '../../ui/Empty';
import { Time } from '../../ui/Time';
import { duration, humanize, shortCommit } from '../../ui/words';
import { plainText } from './log';

const TONES: Readonly<Record<Review['status'], BadgeTone>> = {
  running: 'active',
  passed: 'good',
  failed: 'bad',
  blocked: 'warning',
  superseded: 'plain',
};

/** Every attempt of the task at a gate, the latest first. */
export function ReviewList({ task }: { task: string }) {
  const reviews = useQuery(reviewsQuery(task));
  return (
    <Answered what="the reviews" query={reviews}>
      {(list) =>
        list.length === 0 ? (
          <Empty title="The task has not been at a gate yet." />
        ) : (
          <ol className="reviews" aria-label="Reviews">
            {list
              .toSorted((one, other) => other.attempt_number - one.attempt_number)
              .map((review) => (
                <ReviewItem key={review.id} review={review} />
              ))}
          </ol>
        )
      }
    </Answered>
  );
}

function ReviewItem({ review }: { review: Review }) {
  return (
    <li>
      <p className="facts">
        <strong>Attempt {review.attempt_number}</strong>
        <Badge tone={TONES[review.status]}>{humanize(review.status)}</Badge>
        {review.commit === null ? null : <code>{shortCommit(review.commit)}</code>}
        <Time at={review.started_at} />
      </p>
      {review.taken_from === null ? null : (
        <p className="fine">
          The same tree passed the same checks <Time at={review.taken_from.at} />: not run again.
        </p>
      )}
      {review.decided?.overrides === true ? (
        <p className="prose">Approved against the gate: {review.decided.reason}</p>
      ) : null}
      {review.feedback === null ? null : <p className="prose">{review.feedback}</p>}
      <ul className="checks" aria-label="Checks">
        {review.step_results.map((step, index) => (
          <li key={index}>
            <details open={step.outcome !== 'passed'}>
              <summary>
                <Badge tone={step.outcome === 'passed' ? 'good' : 'bad'}>{humanize(step.outcome)}</Badge>
                <code>{step.command}</code>
                <span className="fine">
                  {step.exit_code === null ? '' : `exit code ${step.exit_code} · `}
                  {duration(step.duration_ms)}
                </span>
              </summary>
              <pre>{step.output_tail === '' ? '(no output)' : plainText(step.output_tail)}</pre>
            </details>
          </li>
        ))}
      </ul>
    </li>
  );
}
