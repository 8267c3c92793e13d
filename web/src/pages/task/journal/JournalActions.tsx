import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { GitFork, Undo2 } from 'lucide-react';
import { useState } from 'react';

import { commands } from '../../../api/commands';
import { keys } from '../../../api/keys';
import { journalDiffQuery } from '../../../api/queries';
import type { JournalEntry } from '../../../api/types';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { RelativeTime } from '../../../ui/RelativeTime';
import { showToast } from '../../../ui/toastStore';
import { useTaskPage } from '../taskContext';
import { reasonWords } from './JournalList';
import styles from './JournalTab.module.css';
import { restoreLoss } from './restoreLoss';

/** What can be done with an entry; before anything is lost the user sees what it is. */
export function JournalActions({ entry }: { entry: JournalEntry }) {
  const { task, project } = useTaskPage();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const difference = useQuery({ ...journalDiffQuery(task.id, entry.number, 'files'), enabled: isAsking });
  const restore = useMutation({
    mutationFn: () => commands.restoreJournal(task.id, entry.number),
    onSuccess: ({ conflicts, saved }) => {
      setAsking(false);
      const rest = conflicts.length === 0 ? '' : ` Conflicts in ${conflicts.join(', ')}.`;
      const kept = saved === null ? '' : ` The state before is entry ${saved.number}.`;
      showToast({ text: `Entry ${entry.number} restored.${kept}${rest}`, tone: 'info' });
    },
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: keys.journal(task.id) });
      void cache.invalidateQueries({ queryKey: keys.diff(task.id) });
    },
  });
  const fork = useMutation({
    mutationFn: () => commands.forkJournal(task.id, entry.number),
    onSuccess: ({ key }) => {
      showToast({ text: `${key} starts with the files of entry ${entry.number}.`, tone: 'info' });
      void navigate({ to: '/projects/$project/$taskKey', params: { project: project.slug, taskKey: key } });
    },
    onError: (error) => showToast({ text: error.message, tone: 'failed' }),
  });
  return (
    <div className={styles.head}>
      <h2 className={styles.title}>Entry {entry.number}</h2>
      <span className={styles.note}>
        {reasonWords(entry)}, <RelativeTime at={entry.at} form="long" />
      </span>
      <span className={styles.space} />
      <Button
        size="small"
        icon={GitFork}
        title="Create a task that starts with these files"
        busy={fork.isPending}
        onClick={() => fork.mutate()}
      >
        Fork here
      </Button>
      <Button size="small" icon={Undo2} onClick={() => setAsking(true)}>
        Restore…
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={`Restore entry ${entry.number} of ${task.key}?`}
          body={`${restoreLoss(difference.data?.files)} The present state is saved first as a new entry.`}
          confirmLabel="Restore"
          busy={restore.isPending}
          failure={restore.error}
          onKeep={() => setAsking(false)}
          onConfirm={() => restore.mutate()}
        />
      ) : null}
    </div>
  );
}
