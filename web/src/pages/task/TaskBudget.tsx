import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Budget, Task } from '../../api/types';
import { refreshTask } from '../../task/useTaskActions';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { BudgetForm } from '../settings/BudgetForm';
import { budgetWords } from '../settings/budget';
import { Fact } from './TaskFacts';

/** What agents may use for the task (E-8). */
export function TaskBudget({ task }: { task: Task }) {
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const change = useMutation({
    mutationFn: (budget: Budget | null) => commands.changeTaskBudget(task, budget),
    onSuccess: () => setOpen(false),
    onSettled: async () => {
      await refreshTask(cache, task);
      await cache.invalidateQueries({ queryKey: keys.usage(task.id) });
    },
  });
  return (
    <Fact name="Budget">
      {budgetWords(task.budget)}{' '}
      <Button look="ghost" size="small" onClick={() => setOpen(true)}>
        Change budget
      </Button>
      {isOpen ? (
        <Dialog title={`Budget of ${task.key}`} onClose={() => setOpen(false)}>
          <BudgetForm
            label="Budget of the task"
            budget={task.budget}
            busy={change.isPending}
            failure={change.error}
            onCancel={() => setOpen(false)}
            onSubmit={(budget) => change.mutate(budget)}
          />
        </Dialog>
      ) : null}
    </Fact>
  );
}
