import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { commands } from '../api/commands';
import { workspaceQuery } from '../api/queries';
import type { Task } from '../api/types';
import { Button } from '../ui/Button';
import { Dialog, DialogButtons } from '../ui/Dialog';
import { FailureNotice } from '../ui/Notice';
import { useDraft } from '../ui/useDraft';
import { type ActionValues, actionBody, askedParameters } from './actionBody';
import { coderOf, type PlannedAction } from './actionPlan';
import { dangerWords } from './dangerWords';
import { ParameterField } from './ParameterField';
import { refreshTask } from './useTaskActions';

interface ActionDialogProps {
  task: Task;
  planned: PlannedAction;
  onClose: () => void;
}

/** Asks for an action's parameters; before a dangerous one it says what will be lost. */
export function ActionDialog({ task, planned, onClose }: ActionDialogProps) {
  const cache = useQueryClient();
  const { action, role, label } = planned;
  const workspace = useQuery({ ...workspaceQuery(task.id), enabled: role === 'reset-workspace' });
  const danger = dangerWords(role, task, workspace.data);
  const draft = useDraft<ActionValues>(`action.${planned.id}`, initialValues(planned, task));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const act = useMutation({
    mutationFn: (body: Readonly<Record<string, unknown>>) => commands.act(action, body),
    onSuccess: () => {
      draft.forget();
      onClose();
    },
    onSettled: () => refreshTask(cache, task),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const made = actionBody(action, task, draft.fields);
    setProblems(made.problems ?? {});
    if (made.problems === null) {
      act.mutate(made.body);
    }
  };
  return (
    <Dialog title={danger?.title ?? `${label} · ${task.key}`} body={danger?.body ?? task.title} onClose={onClose}>
      <form onSubmit={submit} noValidate aria-label={label} style={{ display: 'contents' }}>
        {askedParameters(action).map((parameter, index) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            project={task.project_id}
            value={draft.fields[parameter.name] ?? ''}
            problem={problems[parameter.name]}
            autoFocus={index === 0 && danger === null}
            onChange={(value) => draft.change({ [parameter.name]: value })}
          />
        ))}
        <FailureNotice failure={act.error} />
        <DialogButtons>
          <Button autoFocus={danger !== null} onClick={onClose}>
            {danger?.keep ?? 'Close'}
          </Button>
          <Button look={danger === null ? 'primary' : 'confirm'} type="submit" busy={act.isPending}>
            {danger?.confirm ?? label}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Forms are never empty where the present value is known. */
function initialValues({ role }: PlannedAction, task: Task): ActionValues {
  switch (role) {
    case 'edit':
      return { title: task.title, description: task.description, priority: String(task.priority) };
    case 'start':
      return { agent_id: coderOf(task) ?? '' };
    default:
      return {};
  }
}
