import { useMutation, useQueryClient } from '@tanstack/react-query';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Budget, Project } from '../../api/types';
import { FormSection } from '../../ui/FormPage';
import { Panel } from '../../ui/Panel';
import { BudgetForm } from './BudgetForm';
import { budgetWords } from './budget';

/** What the agents of a project may use together (E-8). */
export function ProjectBudget({ project }: { project: Project }) {
  const cache = useQueryClient();
  const change = useMutation({
    mutationFn: (budget: Budget | null) => commands.changeProjectSettings(project, { budget }),
    // Also after a refusal: it means that what is shown is old.
    onSettled: () => cache.invalidateQueries({ queryKey: keys.projects() }),
  });
  return (
    <FormSection title="Budget" lead={`Agents may use ${budgetWords(project.settings.budget)} in this project.`}>
      <Panel>
        <BudgetForm
          label="Budget of the project"
          budget={project.settings.budget}
          busy={change.isPending}
          failure={change.error}
          onSubmit={(budget) => change.mutate(budget)}
        />
        <span role="status">{change.isSuccess ? 'Saved' : ''}</span>
      </Panel>
    </FormSection>
  );
}
