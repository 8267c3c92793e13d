import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Budget, Task } from '../../api/types';
import { budgetWords } from '../../ui/budget';
import { BudgetForm } from '../../ui/BudgetForm';
import { Button } from '../../ui/Button';

/** What agents may use for the task (E-8). */
export function TaskBudget({ task }: { task: Task }) {
  const cache = useQueryClient();
  const [open, setOpen] = useState(false);
  const change = useMutation({
    mutationFn: (budget: Budget | null) => commands.changeTaskBudget(task, budget),
    onSuccess: () => setOpen(false),
    // Also after a refusal: it means that what is shown is old.
    onSettled: () => cache.invalidateQueries({ queryKey: keys.task(task.id) }),
  });
  return (
    <div>
      <dt>Budget</dt>
      <dd>
        {budgetWords(task.budget)}{' '}
        <Button quiet aria-expanded={open} onClick={() => setOpen(!open)}>
          Change budget
        </Button>
        {open ? (
          <BudgetForm
            label="Budget of the task"
            budget={task.budget}
            busy={change.isPending}
            failure={change.error}
            onCancel={() => setOpen(false)}
            onSubmit={(budget) => change.mutate(budget)}
          />
        ) : null}
      </dd>
    </div>
  );
}
