import { describe, expect, it } from 'vitest';

import type { Review, StepResult } from '../../../api/types';
import { checkSteps, isProblem, stepToShow } from './checkSteps';

const step = (command: string, outcome: StepResult['outcome'], duration_ms = 100) =>
  ({ command, outcome, duration_ms }) as StepResult;
const review = (status: Review['status'], ...step_results: StepResult[]) => ({ status, step_results }) as Review;

describe('the checks of an attempt', () => {
  it('include those that were not reached', () => {
    const steps = checkSteps(review('failed', step('fmt', 'passed', 100), step('test', 'failed', 300)), [
      'fmt',
      'test',
      'licences',
    ]);
    expect(steps.map(({ command, state, from, to }) => [command, state, from, to])).toEqual([
      ['fmt', 'passed', 0, 0.25],
      ['test', 'failed', 0.25, 1],
      ['licences', 'not-run', 1, 1],
    ]);
    expect(stepToShow(steps)).toBe(1);
  });

  it('name the one that runs', () => {
    const steps = checkSteps(review('running', step('fmt', 'passed')), ['fmt', 'test']);
    expect(steps[1]?.state).toBe('running');
    expect(stepToShow(steps)).toBe(1);
  });

  it('say nothing of checks that were configured later', () => {
    expect(checkSteps(review('passed', step('make', 'passed')), ['fmt', 'test'])).toHaveLength(1);
    expect(stepToShow([])).toBe(0);
  });
});

describe('a line of output', () => {
  it.each([
    'test export::csv ... FAILED',
    'error: test failed',
    'error[E0308]: mismatched types',
    "thread 'main' panicked at src/main.rs:1:5",
    'assertion `left == right` failed',
  ])('tells of a failure: %s', (line) => expect(isProblem(line)).toBe(true));

  it.each(['test error_is_reported ... ok', 'test result: ok. 3 passed; 0 failed', 'Compiling thiserror'])(
    'tells of none: %s',
    (line) => expect(isProblem(line)).toBe(false),
  );
});
