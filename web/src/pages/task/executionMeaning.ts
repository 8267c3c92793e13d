import type { Execution } from '../../api/types';
import type { Meaning } from '../../task/meanings';

/** What an execution's end means; without an end it still works. */
export function executionMeaning({ outcome }: Pick<Execution, 'outcome'>): Meaning {
  switch (outcome) {
    case null:
      return 'working';
    case 'succeeded':
      return 'landed';
    case 'failed':
    case 'timed_out':
    case 'lost':
      return 'failed';
    default:
      return 'ended';
  }
}
