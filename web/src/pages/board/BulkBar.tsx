import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Archive, ArrowRight, Bot, CircleSlash, X } from 'lucide-react';
import { useState } from 'react';

import { commands } from '../../api/commands';
import { actionsQuery, agentsQuery } from '../../api/queries';
import type { Task, WorkflowView } from '../../api/types';
import { refreshTask } from '../../task/useTaskActions';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { IconButton } from '../../ui/IconButton';
import { Menu } from '../../ui/Menu';
import { showToast } from '../../ui/toastStore';
import { humanize, plural } from '../../ui/words';
import styles from './BulkBar.module.css';
import { type BulkAction, bulkRequest, bulkWords } from './bulkActions';

interface BulkBarProps {
  tasks: readonly Task[];
  workflow: WorkflowView;
  onClear: () => void;
}

const VERBS: Readonly<Record<BulkAction['kind'], string>> = {
  move: 'moved',
  assign: 'assigned',
  cancel: 'stopped for good',
  archive: 'archived',
};

/** What can be done with the chosen tasks. */
export function BulkBar({ tasks, workflow, onClear }: BulkBarProps) {
  const agents = useQuery(agentsQuery());
  const [isAsking, setAsking] = useState(false);
  const perform = usePerformAll(tasks, () => {
    setAsking(false);
    onClear();
  });
  // Where one of them may be moved by hand. Each is asked for what it offers when the time comes.
  const states = workflow.states.filter(({ name }) =>
    tasks.some(({ status }) => workflow.states.find((state) => state.name === status)?.targets.manual.includes(name)),
  );
  return (
    <section className={styles.bar} aria-label="Chosen tasks">
      <strong>{tasks.length} chosen</strong>
      <Menu
        label="Move to"
        align="start"
        entries={states.map(({ name }) => ({
          id: name,
          label: humanize(name),
          onSelect: () => perform.mutate({ kind: 'move', state: name }),
        }))}
        trigger={
          <Button size="small" icon={ArrowRight} disabled={states.length === 0 || perform.isPending}>
            Move to…
          </Button>
        }
      />
      <Menu
        label="Agent"
        align="start"
        entries={(agents.data ?? []).map(({ id, name }) => ({
          id,
          label: name,
          onSelect: () => perform.mutate({ kind: 'assign', agent: id }),
        }))}
        trigger={
          <Button size="small" icon={Bot} disabled={agents.data?.length === 0 || perform.isPending}>
            Agent…
          </Button>
        }
      />
      <Button
        size="small"
        icon={Archive}
        disabled={perform.isPending}
        onClick={() => perform.mutate({ kind: 'archive' })}
      >
        Archive
      </Button>
      <Button size="small" look="danger" icon={CircleSlash} onClick={() => setAsking(true)}>
        Cancel…
      </Button>
      <IconButton icon={X} label="Choose none" size="small" onClick={onClear} />
      {isAsking ? (
        <ConfirmDialog
          title={`Cancel ${plural(tasks.length, 'task')}?`}
          body="Their agents stop now. The branches with their changes are kept."
          keepLabel="Keep tasks"
          confirmLabel="Cancel tasks"
          busy={perform.isPending}
          failure={perform.error}
          onKeep={() => setAsking(false)}
          onConfirm={() => perform.mutate({ kind: 'cancel' })}
        />
      ) : null}
    </section>
  );
}

/** Does the same with each task; one that refuses does not hold up the others. */
function usePerformAll(tasks: readonly Task[], onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (asked: BulkAction) => {
      const done: Task[] = [];
      const refused: { task: Task; why: string }[] = [];
      for (const task of tasks) {
        try {
          const offered = await cache.fetchQuery({ ...actionsQuery(task.id), staleTime: 0 });
          const request = bulkRequest(asked, offered);
          if (request === null) {
            refused.push({ task, why: `it cannot be ${VERBS[asked.kind]} now.` });
          } else {
            await commands.act(request.action, request.body);
            done.push(task);
          }
        } catch (error) {
          refused.push({ task, why: error instanceof Error ? error.message : String(error) });
        }
        await refreshTask(cache, task);
      }
      return { asked, done, refused };
    },
    onSuccess: ({ asked, done, refused }) => {
      const text = bulkWords(VERBS[asked.kind], done, refused);
      showToast({ text, tone: refused.length === 0 ? 'info' : 'failed' });
      onDone();
    },
  });
}
