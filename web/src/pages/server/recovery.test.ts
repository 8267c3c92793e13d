import { describe, expect, it } from 'vitest';

import type { RecoveryReport } from '../../api/types';
import { recoveredLines } from './recovery';

const NOTHING: RecoveryReport = {
  clones_discarded: 0,
  effects_open: 0,
  effects_resumed: 0,
  executions_adopted: 0,
  executions_ended: 0,
  executions_finished: 0,
  executions_lost: 0,
  locks_released: 0,
  node: 'n',
  orphans: null,
  started_at: '2026-01-01T00:00:00Z',
};

describe('the report of a start', () => {
  it('has no line for what it had not to do', () => {
    expect(recoveredLines(NOTHING)).toEqual([]);
  });

  it('counts agents, effects and directories', () => {
    const report = { ...NOTHING, executions_adopted: 2, orphans: [{ path: '/x', reason: 'no record' }] };
    expect(recoveredLines(report).map(({ count }) => count)).toEqual([2, 1]);
  });
});
