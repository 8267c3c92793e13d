import type { Review, StepResult } from '../../../api/types';
import type { Meaning } from '../../../task/meanings';
import { Badge } from '../../../ui/Badge';
import { Markdown } from '../../../ui/Markdown';
import { MeaningIcon } from '../../../ui/MeaningIcon';
import { Notice } from '../../../ui/Notice';
import { RelativeTime } from '../../../ui/RelativeTime';
import { TerminalOutput } from '../../../ui/TerminalOutput';
import { durationWords } from '../../../ui/timeWords';
import { humanize, shortCommit } from '../../../ui/words';
import styles from './ChecksTab.module.css';
import { stepState } from './checkStates';

const MEANING: Readonly<Record<Review['status'], Meaning>> = {
  running: 'checking',
  passed: 'landed',
  failed: 'failed',
  blocked: 'needs-you',
  no_changes: 'needs-you',
  superseded: 'ended',
};

/** One attempt: its checks, the verdict and the feedback. */
export function ReviewAttempt({ review }: { review: Review }) {
  return (
    <li className={styles.attempt}>
      <div className={styles.head}>
        <h2 className={styles.title}>Attempt {review.attempt_number}</h2>
        <Badge meaning={MEANING[review.status]}>{humanize(review.status)}</Badge>
        {review.commit === null ? null : <code>{shortCommit(review.commit)}</code>}
        <RelativeTime at={review.started_at} form="long" />
      </div>
      {review.taken_from === null ? null : (
        <Notice tone="info">
          The same tree passed the same checks <RelativeTime at={review.taken_from.at} form="long" />. They did not run
          again.
        </Notice>
      )}
      {review.decided?.overrides === true ? (
        <Notice tone="warning" title="Approved against the gate">
          {review.decided.reason}
        </Notice>
      ) : null}
      <div className={styles.steps}>
        {review.step_results.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a check's place in the list is its identity
          <CheckStep key={index} step={step} />
        ))}
      </div>
      {review.feedback === null ? null : (
        <div className={styles.feedback}>
          <Markdown source={review.feedback} />
        </div>
      )}
    </li>
  );
}

function CheckStep({ step }: { step: StepResult }) {
  const hasPassed = stepState(step) === 'passed';
  return (
    <details className={styles.step} open={!hasPassed}>
      <summary className={styles.line}>
        <MeaningIcon meaning={hasPassed ? 'landed' : step.outcome === 'stopped' ? 'ended' : 'failed'} />
        <span className="visually-hidden">{humanize(step.outcome)}</span>
        <code className={styles.command}>{step.command}</code>
        {step.exit_code === null || step.exit_code === 0 ? null : (
          <span className={styles.exit}>exit {step.exit_code}</span>
        )}
        <span className={styles.time}>{durationWords(step.duration_ms)}</span>
      </summary>
      <TerminalOutput text={step.output_tail === '' ? 'No output.' : step.output_tail} />
    </details>
  );
}
