import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Budget, Project } from '../../api/types';
import { budgetWords } from '../../ui/budget';
import { BudgetForm } from '../../ui/BudgetForm';
import { Button } from '../../ui/Button';

/** What the agents of a project may use together (E-8). */
export function ProjectBudget({ project }: { project: Project }) {
  const cache = useQueryClient();
  const [open, setOpen] = useState(false);
  const change = useMutation({
    mutationFn: (budget: Budget | null) => commands.changeProjectBudget(project, budget),
    onSuccess: () => setOpen(false),
    // Also after a refusal: it means that what is shown is old.
    onSettled: () => cache.invalidateQueries({ queryKey: keys.project(project.id) }),
  });
  return (
    <>
      <Button quiet aria-expanded={open} onClick={() => setOpen(!open)}>
        Budget: {budgetWords(project.settings.budget)}
      </Button>
      {open ? (
        <BudgetForm
          label="Budget of the project"
          budget={project.settings.budget}
          busy={change.isPending}
          failure={change.error}
          onCancel={() => setOpen(false)}
          onSubmit={(budget) => change.mutate(budget)}
        />
      ) : null}
    </>
  );
}
