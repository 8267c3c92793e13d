import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';

import { journalDiffQuery } from '../../../api/queries';
import type { JournalAgainst, JournalEntry } from '../../../api/types';
import { DiffViewer } from '../../../diff/DiffViewer';
import { EmptyState } from '../../../ui/EmptyState';
import { Loaded } from '../../../ui/Loaded';
import { Notice } from '../../../ui/Notice';
import { Segmented } from '../../../ui/Segmented';
import { useTaskPage } from '../taskContext';
import { JournalActions } from './JournalActions';
import styles from './JournalTab.module.css';

const AGAINST: readonly { value: JournalAgainst; label: string }[] = [
  { value: 'previous', label: 'Entry before' },
  { value: 'base', label: 'Start' },
  { value: 'files', label: 'Present files' },
];

const NO_DIFFERENCE: Readonly<Record<JournalAgainst, string>> = {
  previous: 'Nothing changed since the entry before.',
  base: 'Nothing changed since the start.',
  files: 'The present files are the same.',
};

/** What an entry holds, compared with another state, and the ways back to it. */
export function JournalEntryView({ entry }: { entry: JournalEntry }) {
  const { task, project } = useTaskPage();
  const { against = 'previous' } = useSearch({ from: '/projects/$project/$taskKey/journal' });
  const navigate = useNavigate();
  const diff = useQuery(journalDiffQuery(task.id, entry.number, against));
  const choose = (chosen: JournalAgainst) =>
    void navigate({
      to: '/projects/$project/$taskKey/journal',
      params: { project: project.slug, taskKey: task.key },
      search: { entry: entry.number, ...(chosen === 'previous' ? {} : { against: chosen }) },
      replace: true,
    });
  const bar = <Segmented label="Compare with" options={AGAINST} value={against} onChange={choose} />;
  return (
    <section className={styles.content} aria-label={`Entry ${entry.number}`}>
      <JournalActions entry={entry} />
      {entry.skipped.length === 0 ? null : (
        <div className={styles.notices}>
          <Notice tone="warning" title="These files could not be read and are not saved">
            {entry.skipped.join(', ')}
          </Notice>
        </div>
      )}
      <Loaded what="the changes" query={diff}>
        {({ files, truncated }) =>
          files.length === 0 ? (
            <>
              <div className={styles.bar}>{bar}</div>
              <EmptyState title={NO_DIFFERENCE[against]} />
            </>
          ) : (
            <DiffViewer
              files={files}
              scope={bar}
              isTreeFolded
              notices={
                truncated ? (
                  <div className={styles.notices}>
                    <Notice tone="warning">More files changed than are listed. The patch has all.</Notice>
                  </div>
                ) : null
              }
              patchHref={`/api/v1/tasks/${task.id}/journal/${entry.number}/diff?against=${against}&format=patch`}
            />
          )
        }
      </Loaded>
    </section>
  );
}
