import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { agentsQuery, meQuery, tasksQuery } from '../../api/queries';
import type { Action, ActionParameter, Task } from '../../api/types';
import { Button } from '../../ui/Button';
import { CheckField, LongTextField, SelectField, TextField } from '../../ui/Field';
import { humanize } from '../../ui/words';
import { actionBody, askedParameters } from './actionBody';

interface ActionFormProps {
  action: Action;
  task: Task;
  busy: boolean;
  onCancel: () => void;
  onSubmit: (body: Readonly<Record<string, unknown>>) => void;
}

/** Asks for an action's parameters. */
export function ActionForm({ action, task, busy, onCancel, onSubmit }: ActionFormProps) {
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const asked = askedParameters(action);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const values = asked.map(({ name, kind }) => [
      name,
      kind === 'boolean' ? data.has(name) : String(data.get(name) ?? ''),
    ]);
    const made = actionBody(action, task, Object.fromEntries(values));
    setProblems(made.problems ?? {});
    if (made.problems === null) {
      onSubmit(made.body);
    }
  };
  return (
    <form className="panel" aria-label={action.label} onSubmit={submit} noValidate>
      {asked.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          project={task.project_id}
          problem={problems[parameter.name]}
        />
      ))}
      <div className="row end">
        <Button quiet onClick={onCancel}>
          Close
        </Button>
        <Button primary type="submit" busy={busy}>
          {action.label}
        </Button>
      </div>
    </form>
  );
}

interface ParameterFieldProps {
  parameter: ActionParameter;
  project: string;
  problem: string | undefined;
}

function ParameterField({ parameter, project, problem }: ParameterFieldProps) {
  const { name, kind, required } = parameter;
  const field = { label: humanize(name.replace(/_id$/, '')), name, required, problem };
  switch (kind) {
    case 'text':
      return <TextField {...field} autoComplete="off" />;
    case 'long_text':
      return <LongTextField {...field} />;
    case 'integer':
      return <TextField {...field} inputMode="numeric" autoComplete="off" />;
    case 'boolean':
      return <CheckField label={field.label} name={name} />;
    case 'choice':
      return <Choice {...field} options={(parameter.choices ?? []).map((choice) => [choice, humanize(choice)])} />;
    case 'agent':
      return <AgentChoice {...field} />;
    case 'user':
      return <UserChoice {...field} />;
    case 'task':
      return <TaskChoice {...field} project={project} />;
  }
}

interface NamedField {
  label: string;
  name: string;
  required: boolean;
  problem: string | undefined;
}

function Choice({ options, ...field }: NamedField & { options: readonly (readonly [string, string])[] }) {
  return (
    <SelectField {...field} defaultValue="">
      <option value="">—</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}

function AgentChoice(field: NamedField) {
  const agents = useQuery(agentsQuery());
  return <Choice {...field} options={(agents.data ?? []).map(({ id, name }) => [id, name])} />;
}

/** A person can name themselves; others are not offered yet. */
function UserChoice(field: NamedField) {
  const me = useQuery(meQuery());
  const user = me.data?.user ?? null;
  return <Choice {...field} options={user === null ? [] : [[user.id, user.name]]} />;
}

function TaskChoice({ project, ...field }: NamedField & { project: string }) {
  const tasks = useInfiniteQuery(tasksQuery(project));
  const list = tasks.data?.pages.flatMap((page) => page.items) ?? [];
  return <Choice {...field} options={list.map(({ id, key, title }) => [id, `${key} ${title}`])} />;
}
