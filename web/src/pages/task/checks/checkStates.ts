import type { Review, StepResult } from '../../../api/types';
import type { CheckState } from '../../../ui/CheckPips';

/** The latest attempt at a gate. */
export function latestReview(reviews: readonly Review[]): Review | undefined {
  return reviews.toSorted((one, other) => other.attempt_number - one.attempt_number)[0];
}

/** One state per check; the one that runs now has no result yet. */
export function checkStates(review: Review): CheckState[] {
  const finished = review.step_results.map(stepState);
  return review.status === 'running' ? [...finished, 'running'] : finished;
}

export function stepState({ outcome }: Pick<StepResult, 'outcome'>): CheckState {
  return outcome === 'passed' || outcome === 'quarantined' ? 'passed' : outcome === 'stopped' ? 'not-run' : 'failed';
}
