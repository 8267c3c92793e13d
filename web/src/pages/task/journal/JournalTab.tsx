import { useQuery } from '@tanstack/react-query';

import { journalQuery } from '../../../api/queries';
import { EmptyState } from '../../../ui/EmptyState';
import { Loaded } from '../../../ui/Loaded';
import { useTaskPage } from '../taskContext';
import { JournalEntryItem } from './JournalEntryItem';

/** The saved states of the workspace, the latest first. */
export function JournalTab() {
  const { task } = useTaskPage();
  const journal = useQuery(journalQuery(task.id));
  return (
    <Loaded what="the journal" query={journal}>
      {(list) =>
        list.length === 0 ? (
          <EmptyState title="No journal entry yet." />
        ) : (
          <ol aria-label="Journal">
            {list
              .toSorted((one, other) => other.number - one.number)
              .map((entry) => (
                <JournalEntryItem key={entry.number} entry={entry} />
              ))}
          </ol>
        )
      }
    </Loaded>
  );
}
