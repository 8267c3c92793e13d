import type { Review, StepResult } from '../../../api/types';
import { stepState } from './checkStates';

/** A check of an attempt: with its result, running now, or not reached. */
export interface CheckStep {
  command: string;
  state: 'passed' | 'failed' | 'running' | 'not-run';
  result: StepResult | null;
  /** When it began and ended, as parts of the time of the whole attempt. */
  from: number;
  to: number;
}

/** The checks of an attempt in their order, those that were not reached included. */
export function checkSteps(review: Review, configured: readonly string[]): CheckStep[] {
  const results = review.step_results;
  const total = results.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  let elapsed = 0;
  const finished = results.map((result): CheckStep => {
    const from = elapsed;
    elapsed += result.duration_ms;
    const share = (time: number) => (total === 0 ? 0 : time / total);
    return {
      command: result.command,
      state: stepState(result),
      result,
      from: share(from),
      to: share(elapsed),
    };
  });
  // The checks may have been changed since, so only a list that begins in the same way says what was left out.
  const isSame = results.every(({ command }, index) => configured[index] === command);
  const rest = isSame ? configured.slice(results.length) : [];
  const isRunning = review.status === 'running';
  return [
    ...finished,
    ...rest.map(
      (command, index): CheckStep => ({
        command,
        state: isRunning && index === 0 ? 'running' : 'not-run',
        result: null,
        from: 1,
        to: 1,
      }),
    ),
  ];
}

/** The check to look at first: the one that failed, or runs, or else the last. */
export function stepToShow(steps: readonly CheckStep[]): number {
  const failed = steps.findIndex(({ state }) => state === 'failed');
  const running = steps.findIndex(({ state }) => state === 'running');
  const last = steps.findLastIndex(({ result }) => result !== null);
  return [failed, running, last].find((index) => index >= 0) ?? 0;
}

const PROBLEM =
  /^\s*(?:\S+: )?(?:error|fatal|failed|failure)\b|\.\.\. FAILED\b|\bpanicked at\b|\bassertion\b.*\bfailed\b|^\s*(?:✗|✕|×|FAIL)\s/i;

/** Whether a line of output tells of a failure. */
export function isProblem(line: string): boolean {
  return PROBLEM.test(line) && !/\b0 (?:failed|errors?)\b/.test(line);
}
