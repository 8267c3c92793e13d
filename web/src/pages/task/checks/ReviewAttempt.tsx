import { useState } from 'react';

import type { Review } from '../../../api/types';
import { Badge } from '../../../ui/Badge';
import { classNames } from '../../../ui/classNames';
import { Markdown } from '../../../ui/Markdown';
import { MeaningIcon } from '../../../ui/MeaningIcon';
import { Notice } from '../../../ui/Notice';
import { RelativeTime } from '../../../ui/RelativeTime';
import { durationWords } from '../../../ui/timeWords';
import { humanize, shortCommit } from '../../../ui/words';
import { useTaskPage } from '../taskContext';
import { REVIEW_MEANINGS } from './AttemptList';
import { CheckLog } from './CheckLog';
import { type CheckStep, checkSteps, stepToShow } from './checkSteps';
import styles from './ReviewAttempt.module.css';

const STEP_MEANINGS = { passed: 'landed', failed: 'failed', running: 'checking', 'not-run': 'ended' } as const;

/** One attempt: its checks on a time axis, the output of one of them, the verdict and the feedback. */
export function ReviewAttempt({ review }: { review: Review }) {
  const { task } = useTaskPage();
  const [chosen, setChosen] = useState<number | null>(null);
  const { finished_at, started_at, commit, taken_from, decided, feedback } = review;
  const steps = checkSteps(review, task.review_config.ci_steps ?? []);
  const shown = chosen ?? stepToShow(steps);
  const step = steps[shown];
  return (
    <section className={styles.attempt} aria-label={`Attempt ${review.attempt_number}`}>
      <div className={styles.head}>
        <h2 className={styles.title}>Attempt {review.attempt_number}</h2>
        <Badge meaning={REVIEW_MEANINGS[review.status]}>{humanize(review.status)}</Badge>
        {commit === null ? null : (
          <span>
            on <code>{shortCommit(commit)}</code>
          </span>
        )}
        {finished_at === null ? null : <span>{durationWords(Date.parse(finished_at) - Date.parse(started_at))}</span>}
        <RelativeTime at={started_at} form="long" />
      </div>
      {taken_from === null ? null : (
        <Notice tone="info">
          The same tree passed the same checks <RelativeTime at={taken_from.at} form="long" />. They did not run again.
        </Notice>
      )}
      {decided?.overrides === true ? (
        <Notice tone="warning" title="Approved against the gate">
          {decided.reason}
        </Notice>
      ) : null}
      {steps.length === 0 ? null : (
        <div className={styles.steps}>
          {steps.map((one, index) => (
            <StepLine
              // biome-ignore lint/suspicious/noArrayIndexKey: a check's place in the list is its identity
              key={index}
              step={one}
              isShown={index === shown}
              onShow={() => setChosen(index)}
            />
          ))}
        </div>
      )}
      {step === undefined ? null : <CheckLog key={`${review.id} ${shown}`} review={review} step={step} />}
      {feedback === null || steps.some(({ state }) => state === 'failed') ? null : (
        <div className={styles.feedback}>
          <h3 className={styles.subtitle}>Feedback</h3>
          <Markdown source={feedback} />
        </div>
      )}
    </section>
  );
}

function StepLine({ step, isShown, onShow }: { step: CheckStep; isShown: boolean; onShow: () => void }) {
  const { command, state, result, from, to } = step;
  const isReached = state !== 'not-run';
  return (
    <button
      type="button"
      className={classNames(styles.step, isShown && styles.shown)}
      aria-pressed={isShown}
      disabled={!isReached}
      title={command}
      onClick={onShow}
    >
      <MeaningIcon meaning={STEP_MEANINGS[state]} />
      <span className="visually-hidden">{result === null ? humanize(state) : humanize(result.outcome)}</span>
      <code className={styles.command}>{command}</code>
      <span className={styles.axis} aria-hidden="true">
        {result === null ? null : (
          <span
            className={classNames(styles.bar, styles[state])}
            style={{ left: `${from * 100}%`, width: `max(3px, ${(to - from) * 100}%)` }}
          />
        )}
      </span>
      <span className={styles.time}>
        {result === null ? (state === 'running' ? 'running' : 'skipped') : durationWords(result.duration_ms)}
      </span>
    </button>
  );
}
