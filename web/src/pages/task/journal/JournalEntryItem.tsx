import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { GitFork, Undo2 } from 'lucide-react';
import { useState } from 'react';

import { commands } from '../../../api/commands';
import { keys } from '../../../api/keys';
import { journalDiffQuery } from '../../../api/queries';
import type { JournalEntry } from '../../../api/types';
import { DiffViewer } from '../../../diff/DiffViewer';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { EmptyState } from '../../../ui/EmptyState';
import { Loaded } from '../../../ui/Loaded';
import { RelativeTime } from '../../../ui/RelativeTime';
import { showToast } from '../../../ui/toastStore';
import { humanize, shortCommit } from '../../../ui/words';
import { useTaskPage } from '../taskContext';
import styles from './JournalTab.module.css';

/** One saved state: what it changed, and the ways back to it. */
export function JournalEntryItem({ entry }: { entry: JournalEntry }) {
  const { task, project } = useTaskPage();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const restore = useMutation({
    mutationFn: () => commands.restoreJournal(task.id, entry.number),
    onSuccess: ({ conflicts }) => {
      setAsking(false);
      const rest = conflicts.length === 0 ? '' : ` Conflicts in ${conflicts.join(', ')}.`;
      showToast({ text: `Entry ${entry.number} restored.${rest}`, tone: 'info' });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.journal(task.id) }),
  });
  const fork = useMutation({
    mutationFn: () => commands.forkJournal(task.id, entry.number),
    onSuccess: ({ key }) =>
      void navigate({ to: '/projects/$project/$taskKey', params: { project: project.slug, taskKey: key } }),
    onError: (error) => showToast({ text: error.message, tone: 'failed' }),
  });
  return (
    <li className={styles.entry}>
      <div className={styles.line}>
        <strong>{entry.number}</strong>
        <span className={styles.text}>
          {humanize(entry.reason)} <code>{shortCommit(entry.commit)}</code>
          {entry.differs ? <span className={styles.note}> with uncommitted changes</span> : null}
        </span>
        <RelativeTime at={entry.at} form="long" />
        <Button look="ghost" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Changes
        </Button>
        <Button look="ghost" size="small" icon={GitFork} busy={fork.isPending} onClick={() => fork.mutate()}>
          Fork here
        </Button>
        <Button look="ghost" size="small" icon={Undo2} onClick={() => setAsking(true)}>
          Restore…
        </Button>
      </div>
      {entry.skipped.map((skipped) => (
        <p key={skipped} className={styles.diff}>
          <span className={styles.note}>{skipped}</span>
        </p>
      ))}
      {isOpen ? <EntryChanges task={task.id} number={entry.number} /> : null}
      {isAsking ? (
        <ConfirmDialog
          title={`Restore entry ${entry.number} of ${task.key}?`}
          body="The files of the workspace become those of the entry. The present state is saved first as a new entry."
          confirmLabel="Restore"
          busy={restore.isPending}
          failure={restore.error}
          onKeep={() => setAsking(false)}
          onConfirm={() => restore.mutate()}
        />
      ) : null}
    </li>
  );
}

function EntryChanges({ task, number }: { task: string; number: number }) {
  const diff = useQuery(journalDiffQuery(task, number));
  return (
    <div className={styles.diff}>
      <Loaded what="the changes" query={diff}>
        {({ files }) =>
          files.length === 0 ? (
            <EmptyState title="Nothing changed since the entry before." />
          ) : (
            <DiffViewer files={files} />
          )
        }
      </Loaded>
    </div>
  );
}
