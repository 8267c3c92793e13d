import type { MergeTrainEntry } from '../../api/types';
import type { Meaning } from '../../task/meanings';

interface EntryLook {
  word: string;
  meaning: Meaning;
  /** The same in a sentence. */
  explanation: string;
}

/** How each state of a train entry is shown. */
export const ENTRY_LOOKS: Readonly<Record<MergeTrainEntry['state'], EntryLook>> = {
  waiting: { word: 'Waits', meaning: 'queued', explanation: 'Its test has not begun' },
  running: {
    word: 'Testing',
    meaning: 'checking',
    explanation: 'Its checks run on the target with all entries before it',
  },
  passed: { word: 'All green', meaning: 'landing', explanation: 'It lands when it is first' },
  failed: { word: 'Red, running again', meaning: 'failed', explanation: 'Its checks run again before it is evicted' },
  clashes: { word: 'Conflict', meaning: 'needs-you', explanation: 'It does not merge with the entries before it' },
  empty: { word: 'Nothing to land', meaning: 'ended', explanation: 'It adds nothing to the entries before it' },
  unknown: { word: 'On another server', meaning: 'queued', explanation: 'The server that runs its train knows more' },
};
