import type { RecoveryReport } from '../../api/types';

type RecoveryCount = Exclude<keyof RecoveryReport, 'node' | 'orphans' | 'started_at'>;

const WORDS: Readonly<Record<RecoveryCount, string>> = {
  executions_adopted: 'Agents that go on',
  executions_finished: 'Agents that had ended meanwhile',
  executions_ended: 'Agents that were stopped and start again',
  executions_lost: 'Agents that were lost and start again',
  effects_resumed: 'Effects performed again',
  effects_open: 'Effects that were pending',
  locks_released: 'Workspaces unlocked',
  clones_discarded: 'Unfinished clones removed',
};

/** What a start recovered, without what it had not to do. */
export function recoveredLines(report: RecoveryReport): { what: string; count: number }[] {
  const counts = Object.entries(WORDS) as [RecoveryCount, string][];
  return counts
    .map(([name, what]) => ({ what, count: report[name] }))
    .concat({ what: 'Directories of no live task', count: report.orphans?.length ?? 0 })
    .filter(({ count }) => count > 0);
}
