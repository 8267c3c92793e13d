import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';

import { agentsQuery, workflowQuery } from '../../api/queries';
import type { Project } from '../../api/types';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { DialogButtons } from '../../ui/Dialog';
import { SelectField, TextAreaField, TextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import { useDraft } from '../../ui/useDraft';
import { humanize } from '../../ui/words';
import styles from './NewTaskDialog.module.css';
import { candidates, EMPTY_TASK, type NewTaskFields, newTaskProblems, rolesOf } from './newTask';
import { useCreateTask } from './useCreateTask';

interface NewTaskFormProps {
  projects: readonly Project[];
  initial: Project;
  onClose: () => void;
}

/** The role whose agent does the work. */
const CODER = 'coder';

export function NewTaskForm({ projects, initial, onClose }: NewTaskFormProps) {
  const [project, setProject] = useState(initial);
  const [isMore, setMore] = useState(false);
  const [isAnother, setAnother] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const draft = useDraft<NewTaskFields>('new-task', EMPTY_TASK);
  const workflow = useQuery(workflowQuery(project.id));
  const agents = useQuery(agentsQuery());
  const roles = workflow.data === undefined ? [CODER] : rolesOf(workflow.data);
  const { fields, change } = draft;
  const problems = newTaskProblems(fields);
  const shown = isChecked ? problems : {};
  const create = useCreateTask(project, workflow.data, () => {
    draft.forget();
    setChecked(false);
    if (!isAnother) {
      onClose();
    }
  });
  const submit = (isStart: boolean) => {
    setChecked(true);
    if (Object.keys(problems).length === 0) {
      create.mutate({ fields, agent: isStart ? (fields.roles[CODER] ?? '') : '' });
    }
  };
  const canStart = (fields.roles[CODER] ?? '') !== '';
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit(canStart);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit(canStart);
    }
  };
  const roleField = (role: string, label: string) => (
    <SelectField
      key={role}
      label={label}
      value={fields.roles[role] ?? ''}
      onChange={({ target }) => change({ roles: { ...fields.roles, [role]: target.value } })}
    >
      <option value="">{role === CODER ? 'Choose later' : 'None'}</option>
      {candidates(agents.data ?? [], role).map((agent) => (
        <option key={agent.id} value={agent.id}>
          {agent.name}
        </option>
      ))}
    </SelectField>
  );
  return (
    <form className={styles.form} aria-label="New task" onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate>
      <TextField
        label="Title"
        value={fields.title}
        problem={shown.title}
        autoComplete="off"
        autoFocus
        onChange={({ target }) => change({ title: target.value })}
      />
      <TextAreaField
        label="Description"
        hint="The agent gets this as its prompt. Markdown."
        rows={6}
        value={fields.description}
        onChange={({ target }) => change({ description: target.value })}
      />
      <div className={styles.row}>
        {projects.length < 2 ? null : (
          <SelectField
            label="Project"
            value={project.id}
            onChange={({ target }) => setProject(projects.find(({ id }) => id === target.value) ?? project)}
          >
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        {roleField(CODER, 'Agent')}
        <TextField
          label="Labels"
          placeholder="api, billing"
          value={fields.labels}
          autoComplete="off"
          onChange={({ target }) => change({ labels: target.value })}
        />
      </div>
      {isMore ? (
        <div className={styles.more}>
          <div className={styles.row}>
            {roles.filter((role) => role !== CODER).map((role) => roleField(role, humanize(role)))}
            <TextField
              label="Priority"
              inputMode="numeric"
              placeholder="0"
              value={fields.priority}
              problem={shown.priority}
              autoComplete="off"
              onChange={({ target }) => change({ priority: target.value })}
            />
          </div>
          <TextAreaField
            label="Checks"
            rows={2}
            spellCheck={false}
            hint="Shell commands, one per line. Left empty, those of the project."
            value={fields.checks}
            onChange={({ target }) => change({ checks: target.value })}
          />
        </div>
      ) : null}
      <FailureNotice failure={create.error} />
      <div className={styles.foot}>
        <Button look="ghost" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
          {isMore ? 'Fewer fields' : 'More fields'}
        </Button>
        <Checkbox label="Create another" checked={isAnother} onChange={({ target }) => setAnother(target.checked)} />
        <DialogButtons>
          <Button look={canStart ? 'secondary' : 'primary'} busy={create.isPending} onClick={() => submit(false)}>
            Create
          </Button>
          <Button
            look={canStart ? 'primary' : 'secondary'}
            type="submit"
            hotkey="Ctrl ↵"
            busy={create.isPending}
            disabled={!canStart}
            title={canStart ? undefined : 'Choose an agent to start it'}
          >
            Start
          </Button>
        </DialogButtons>
      </div>
    </form>
  );
}
