import { Ellipsis } from 'lucide-react';

import type { WorkflowView } from '../api/types';
import { Button, type ButtonSize } from '../ui/Button';
import { IconButton } from '../ui/IconButton';
import { Menu } from '../ui/Menu';
import { actionMenu } from './actionMenu';
import { ACTION_LOOKS } from './actionRoles';
import { useActionPlan } from './useActionPlan';
import type { SituatedTask } from './useSituations';
import { useTaskActions } from './useTaskActions';

interface TaskActionsProps {
  situated: SituatedTask;
  workflow: WorkflowView | undefined;
  size?: ButtonSize;
  isMenuOpen?: boolean | undefined;
  onMenuChange?: ((isOpen: boolean) => void) | undefined;
}

/** The one primary action, and the rest in a menu. */
export function TaskActions({ situated, workflow, size = 'large', isMenuOpen, onMenuChange }: TaskActionsProps) {
  const perform = useTaskActions();
  const plan = useActionPlan(situated, workflow);
  if (plan === null) {
    return null;
  }
  const { primary } = plan;
  const entries = actionMenu(plan, (planned) => perform(situated.task, planned));
  const control = {
    ...(isMenuOpen === undefined ? {} : { open: isMenuOpen }),
    ...(onMenuChange === undefined ? {} : { onOpenChange: onMenuChange }),
  };
  return (
    <>
      {primary === null ? null : (
        <Button
          look={plan.isPrimaryInk ? 'primary' : 'secondary'}
          size={size}
          wide
          icon={ACTION_LOOKS[primary.role].icon}
          onClick={() => perform(situated.task, primary)}
        >
          {primary.label}
        </Button>
      )}
      {entries.length === 0 ? null : (
        <Menu
          label="More actions"
          entries={entries}
          {...control}
          trigger={<IconButton icon={Ellipsis} label="More actions" hotkey="." look="secondary" size={size} />}
        />
      )}
    </>
  );
}
