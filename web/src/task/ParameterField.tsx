import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { agentsQuery, meQuery, taskSearchQuery } from '../api/queries';
import type { ActionParameter } from '../api/types';
import { Checkbox } from '../ui/Checkbox';
import { SelectField, TextAreaField, TextField } from '../ui/Field';
import { humanize } from '../ui/words';

interface ParameterFieldProps {
  parameter: ActionParameter;
  project: string;
  value: string | boolean;
  problem: string | undefined;
  autoFocus: boolean;
  onChange: (value: string | boolean) => void;
}

/** The field for one parameter of an action. */
export function ParameterField({ parameter, project, value, problem, autoFocus, onChange }: ParameterFieldProps) {
  const { name, kind, required } = parameter;
  const words = humanize(name.replace(/_id$/, ''));
  const label = required || kind === 'boolean' ? words : `${words} (optional)`;
  const text = typeof value === 'string' ? value : '';
  const field = { label, required, problem, autoFocus, value: text };
  switch (kind) {
    case 'long_text':
      return <TextAreaField {...field} onChange={({ target }) => onChange(target.value)} />;
    case 'boolean':
      return <Checkbox label={label} checked={value === true} onChange={({ target }) => onChange(target.checked)} />;
    case 'choice':
      return (
        <Choice {...field} options={(parameter.choices ?? []).map((one) => [one, humanize(one)])} onChange={onChange} />
      );
    case 'agent':
      return <AgentChoice {...field} onChange={onChange} />;
    case 'user':
      return <UserChoice {...field} onChange={onChange} />;
    case 'task':
      return <TaskChoice {...field} project={project} onChange={onChange} />;
    case 'text':
    case 'integer':
      return (
        <TextField
          {...field}
          inputMode={kind === 'integer' ? 'numeric' : 'text'}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
        />
      );
  }
}

interface NamedField {
  label: string;
  required: boolean;
  problem: string | undefined;
  autoFocus: boolean;
  value: string;
  onChange: (value: string) => void;
}

function Choice({ options, onChange, ...field }: NamedField & { options: readonly (readonly [string, string])[] }) {
  return (
    <SelectField {...field} onChange={({ target }) => onChange(target.value)}>
      <option value="">None</option>
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

/** A user can name themselves; the server lists other users to admins only. */
function UserChoice(field: NamedField) {
  const me = useQuery(meQuery());
  const user = me.data?.user ?? null;
  return <Choice {...field} options={user === null ? [] : [[user.id, user.name]]} />;
}

/** A task, found by its key or words of its title. */
function TaskChoice({ project, ...field }: NamedField & { project: string }) {
  const [typed, setTyped] = useState('');
  const found = useQuery({ ...taskSearchQuery(project, typed.trim()), enabled: typed.trim() !== '' });
  return (
    <>
      <TextField
        label="Find a task"
        hint="By its key, such as T-12, or words of its title."
        value={typed}
        autoFocus={field.autoFocus}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
      />
      <Choice
        {...field}
        autoFocus={false}
        options={(found.data ?? []).map(({ id, key, title }) => [id, `${key} ${title}`])}
      />
    </>
  );
}
