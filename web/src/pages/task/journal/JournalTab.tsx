import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';

import { journalQuery } from '../../../api/queries';
import { EmptyState } from '../../../ui/EmptyState';
import { Loaded } from '../../../ui/Loaded';
import { useTaskPage } from '../taskContext';
import { JournalEntryView } from './JournalEntryView';
import { JournalList } from './JournalList';
import styles from './JournalTab.module.css';

/** The saved states of the workspace, and what one of them changed. */
export function JournalTab() {
  const { task } = useTaskPage();
  const journal = useQuery(journalQuery(task.id));
  const { entry } = useSearch({ from: '/projects/$project/$taskKey/journal' });
  return (
    <Loaded what="the journal" query={journal}>
      {(list) => {
        const ordered = list.toSorted((one, other) => other.number - one.number);
        const shown = ordered.find(({ number }) => number === entry) ?? ordered[0];
        return shown === undefined ? (
          <EmptyState title="No journal entry yet.">
            <p>The files are saved after each execution and before anything that changes them.</p>
          </EmptyState>
        ) : (
          <div className={styles.page}>
            <div className={styles.side}>
              <JournalList entries={ordered} shown={shown.number} />
            </div>
            <JournalEntryView key={shown.number} entry={shown} />
          </div>
        );
      }}
    </Loaded>
  );
}
