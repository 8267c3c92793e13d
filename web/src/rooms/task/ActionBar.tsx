import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { actionsQuery } from '../../api/queries';
import type { Action, Task } from '../../api/types';
import { Button } from '../../ui/Button';
import { FailureNotice } from '../../ui/Notice';
import { actionBody, askedParameters } from './actionBody';
import { ActionForm } from './ActionForm';

interface Chosen {
  action: Action;
  body: Readonly<Record<string, unknown>>;
}

const identity = (action: Action) => `${action.name} ${action.path} ${action.target ?? ''}`;

/** What can be done with the task now, by who looks at it: exactly what the server lists (T-11). */
export function ActionBar({ task }: { task: Task }) {
  const cache = useQueryClient();
  const actions = useQuery(actionsQuery(task.id));
  const [open, setOpen] = useState<string | null>(null);
  const act = useMutation({
    mutationFn: ({ action, body }: Chosen) => commands.act(action, body),
    onSuccess: () => setOpen(null),
    // Also after a refusal: it means that what is shown is old.
    onSettled: async () => {
      await cache.invalidateQueries({ queryKey: keys.task(task.id) });
      await cache.invalidateQueries({ queryKey: keys.actions(task.id) });
    },
  });
  const list = actions.data ?? [];
  const opened = list.find((action) => identity(action) === open);
  const choose = (action: Action) => {
    act.reset();
    if (askedParameters(action).length > 0) {
      setOpen(identity(action) === open ? null : identity(action));
      return;
    }
    const ready = actionBody(action, task, {});
    if (ready.problems === null) {
      act.mutate({ action, body: ready.body });
    }
  };
  return (
    <section className="actions" aria-label="Actions">
      <div className="row">
        {list.map((action) => (
          <Button
            key={identity(action)}
            busy={act.isPending && identity(act.variables.action) === identity(action)}
            aria-expanded={askedParameters(action).length > 0 ? action === opened : undefined}
            onClick={() => choose(action)}
          >
            {action.label}
          </Button>
        ))}
        {actions.data?.length === 0 ? <span className="fine">There is nothing to do here now.</span> : null}
      </div>
      <FailureNotice failure={act.error ?? actions.error} />
      {opened === undefined ? null : (
        <ActionForm
          key={open}
          action={opened}
          task={task}
          busy={act.isPending}
          onCancel={() => setOpen(null)}
          onSubmit={(body) => act.mutate({ action: opened, body })}
        />
      )}
    </section>
  );
}
