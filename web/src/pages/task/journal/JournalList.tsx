import { Link } from '@tanstack/react-router';

import type { JournalEntry } from '../../../api/types';
import { classNames } from '../../../ui/classNames';
import { RelativeTime } from '../../../ui/RelativeTime';
import { shortCommit } from '../../../ui/words';
import { useTaskPage } from '../taskContext';
import styles from './JournalList.module.css';

const REASONS: Readonly<Record<JournalEntry['reason'], string>> = {
  turn_end: 'Execution ended',
  stop: 'Execution stopped',
  before_reset: 'Before a reset',
  before_removal: 'Before the removal',
  before_rebase: 'Before an update of the branch',
  before_restore: 'Before a restore',
  periodic: 'While the agent works',
  corrupted: 'The worktree was damaged',
};

/** Why Forge saved a state. */
export function reasonWords(entry: Pick<JournalEntry, 'reason'>): string {
  return REASONS[entry.reason];
}

/** The saved states, the latest first; each is an address of its own. */
export function JournalList({ entries, shown }: { entries: readonly JournalEntry[]; shown: number }) {
  const { task, project } = useTaskPage();
  return (
    <ol className={styles.list} aria-label="Journal">
      {entries.map((entry) => (
        <li key={entry.number}>
          <Link
            to="/projects/$project/$taskKey/journal"
            params={{ project: project.slug, taskKey: task.key }}
            search={(before) => ({ ...before, entry: entry.number })}
            replace
            className={classNames(styles.entry, entry.number === shown && styles.shown)}
            aria-current={entry.number === shown ? 'true' : undefined}
          >
            <span className={styles.number}>{entry.number}</span>
            <span className={styles.reason}>{reasonWords(entry)}</span>
            <span className={styles.note}>
              <RelativeTime at={entry.at} />
            </span>
            <span className={styles.facts}>
              <code>{shortCommit(entry.head ?? entry.commit)}</code>
              {entry.differs ? ' and uncommitted changes' : ''}
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
