import { useNavigate } from '@tanstack/react-router';

import type { Hotkey } from '../../app/hotkeys/hotkeyStore';
import { useHotkeys } from '../../app/hotkeys/useHotkeys';
import type { ActionRole } from '../../task/actionRoles';
import { useActionPlan } from '../../task/useActionPlan';
import { useTaskActions } from '../../task/useTaskActions';
import { REPLY_FIELD_ID } from './conversation/replyField';
import type { TaskPageData } from './taskContext';
import { TASK_TABS } from './taskTabs';

interface TaskHotkeyHandlers {
  openMenu: () => void;
  toggleFacts: () => void;
}

/** The keys of a task's page. */
export function useTaskHotkeys(data: TaskPageData, { openMenu, toggleFacts }: TaskHotkeyHandlers): void {
  const navigate = useNavigate();
  const perform = useTaskActions();
  const plan = useActionPlan(data.situated, data.workflow);
  const params = { project: data.project.slug, taskKey: data.task.key };
  const act = (role: ActionRole) => {
    const planned = [plan?.primary ?? null, ...(plan?.menu ?? [])].find((one) => one?.role === role);
    if (planned !== undefined && planned !== null) {
      perform(data.task, planned);
    }
  };
  const key = (keys: string, label: string, run: () => void): Hotkey => ({ keys, label, group: 'Task', run });
  useHotkeys([
    ...TASK_TABS.map(({ to, label }, index) =>
      key(String(index + 1), label, () => void navigate({ to, params, replace: true })),
    ),
    key('r', 'Reply', () => document.getElementById(REPLY_FIELD_ID)?.focus()),
    key('e', 'Edit', () => act('edit')),
    key('l', 'Approve and land', () => act('approve')),
    key('b', 'Send back', () => act('send-back')),
    key('s', 'Start', () => act('start')),
    key('a', 'Give to another agent', () => act('assign-coder')),
    key('.', 'More actions', openMenu),
    key(']', 'Facts', toggleFacts),
  ]);
}
