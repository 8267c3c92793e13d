import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Agent, NewTask, WorkflowView } from '../../api/types';
import { Button } from '../../ui/Button';
import { LongTextField, SelectField, TextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import { humanize } from '../../ui/words';
import { candidates, newTaskProblems, type NewTaskProblems, newTaskRequest, rolesOf } from './newTask';

interface NewTaskFormProps {
  project: string;
  workflow: WorkflowView;
  agents: readonly Agent[];
  onClose: () => void;
}

/** Creates tasks; it stays open, as tasks often come several at a time. */
export function NewTaskForm({ project, workflow, agents, onClose }: NewTaskFormProps) {
  const cache = useQueryClient();
  const [problems, setProblems] = useState<NewTaskProblems>({});
  const create = useMutation({
    mutationFn: (task: NewTask) => commands.createTask(project, task),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.tasks(project) }),
  });
  const roles = rolesOf(workflow);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const read = (name: string) => String(data.get(name) ?? '');
    const fields = {
      title: read('title'),
      description: read('description'),
      labels: read('labels'),
      priority: read('priority'),
      checks: read('checks'),
      roles: Object.fromEntries(roles.map((role) => [role, read(`role:${role}`)])),
    };
    const found = newTaskProblems(fields);
    setProblems(found);
    if (Object.keys(found).length === 0) {
      create.mutate(newTaskRequest(fields), { onSuccess: () => form.reset() });
    }
  };
  return (
    <form className="panel new-task" aria-label="New task" onSubmit={submit} noValidate>
      <TextField label="Title" name="title" problem={problems.title} autoComplete="off" autoFocus required />
      <LongTextField label="Description" name="description" hint="The full prompt for the agent." />
      <LongTextField
        label="Checks"
        name="checks"
        rows={2}
        spellCheck={false}
        hint="Shell commands, one per line. Left empty, the project's own."
      />
      <div className="row">
        <TextField label="Labels" name="labels" hint="Separated by commas." autoComplete="off" />
        <TextField
          label="Priority"
          name="priority"
          inputMode="numeric"
          problem={problems.priority}
          autoComplete="off"
        />
        {roles.map((role) => (
          <SelectField key={role} label={humanize(role)} name={`role:${role}`} defaultValue="">
            <option value="">Nobody yet</option>
            {candidates(agents, role).map((agent) => (
              <option key={agent.id} value={agent.id}>
                {agent.name}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
      <FailureNotice failure={create.error} />
      <div className="row end">
        <Button quiet onClick={onClose}>
          Close
        </Button>
        <Button primary type="submit" busy={create.isPending}>
          Create task
        </Button>
      </div>
    </form>
  );
}
