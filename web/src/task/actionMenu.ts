import { MoveRight } from 'lucide-react';

import type { MenuEntry } from '../ui/menuEntries';
import type { ActionPlan, PlannedAction } from './actionPlan';
import { ACTION_LOOKS } from './actionRoles';

/** The menu beside the primary action: the rest of what is offered, dangerous entries last. */
export function actionMenu(plan: ActionPlan, onChoose: (planned: PlannedAction) => void): MenuEntry[] {
  const entry = (planned: PlannedAction, label = planned.label): MenuEntry => {
    const look = ACTION_LOOKS[planned.role];
    return {
      id: planned.id,
      label,
      icon: look.icon,
      hotkey: look.hotkey,
      isDanger: look.isDangerous,
      onSelect: () => onChoose(planned),
    };
  };
  const moves: MenuEntry[] =
    plan.moves.length === 0
      ? []
      : [
          {
            kind: 'submenu',
            id: 'move',
            label: 'Move to…',
            icon: MoveRight,
            entries: plan.moves.map((move) => entry(move, move.label.replace(/^Move to /, ''))),
          },
        ];
  const dangerous = plan.dangerous.map((planned) => entry(planned));
  return [
    ...plan.menu.map((planned) => entry(planned)),
    ...moves,
    ...(dangerous.length === 0 ? [] : [{ kind: 'line' as const, id: 'line' }, ...dangerous]),
  ];
}
