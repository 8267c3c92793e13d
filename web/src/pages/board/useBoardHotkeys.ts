import { useNavigate } from '@tanstack/react-router';

import type { Project } from '../../api/types';
import type { Hotkey } from '../../app/hotkeys/hotkeyStore';
import { useHotkeys } from '../../app/hotkeys/useHotkeys';
import { useActionPlan } from '../../task/useActionPlan';
import { useTaskActions } from '../../task/useTaskActions';
import { FIND_FIELD_ID } from './BoardFilters';
import { columnItems } from './columnItems';
import type { BoardData } from './useBoard';
import type { BoardSelection } from './useBoardSelection';

/** The keys of the board. */
export function useBoardHotkeys(board: BoardData, selection: BoardSelection, project: Project): void {
  const navigate = useNavigate();
  const perform = useTaskActions();
  const { workflow } = board;
  const cards = board.columns.flatMap((column) => column.cards);
  const selected = cards.find(({ task }) => task.id === selection.selected);
  const plan = useActionPlan(selected, workflow, true);
  const order = () =>
    workflow === undefined
      ? []
      : board.columns.map(({ phase, cards: own }) =>
          columnItems(workflow, phase, own).flatMap((item) => (item.kind === 'card' ? [item.card.task.id] : [])),
        );
  const open = () => {
    if (selected !== undefined) {
      void navigate({
        to: '/projects/$project/$taskKey',
        params: { project: project.slug, taskKey: selected.task.key },
      });
    }
  };
  const act = (role: 'start' | 'assign-coder' | 'edit') => {
    const planned = [plan?.primary ?? null, ...(plan?.menu ?? [])].find((one) => one?.role === role);
    if (selected !== undefined && planned !== undefined && planned !== null) {
      perform(selected.task, planned);
    }
  };
  const nextThatNeedsYou = () => {
    const waiting = order()
      .flat()
      .filter((id) =>
        cards.some(({ task, situation }) => task.id === id && ['needs-you', 'failed'].includes(situation.meaning)),
      );
    const next = waiting[(waiting.indexOf(selection.selected ?? '') + 1) % waiting.length];
    if (next !== undefined) {
      selection.jumpTo(next);
    }
  };
  const key = (keys: string, label: string, run: () => void): Hotkey => ({ keys, label, group: 'Board', run });
  useHotkeys([
    key('j', 'Next card', () => selection.step(order(), 'down')),
    key('k', 'Previous card', () => selection.step(order(), 'up')),
    key('arrowdown', 'Next card', () => selection.step(order(), 'down')),
    key('arrowup', 'Previous card', () => selection.step(order(), 'up')),
    key('arrowright', 'Column to the right', () => selection.step(order(), 'right')),
    key('arrowleft', 'Column to the left', () => selection.step(order(), 'left')),
    key('enter', 'Open', open),
    key('x', 'Choose the card', () => {
      if (selection.selected !== null) {
        selection.choice.toggle(selection.selected);
      }
    }),
    key('shift+x', 'Choose all up to the card', () => {
      if (selection.selected !== null) {
        selection.choice.extendTo(selection.selected, order().flat());
      }
    }),
    ...(selection.choice.chosen.size === 0 ? [] : [key('escape', 'Choose none', selection.choice.clear)]),
    key('s', 'Start', () => act('start')),
    key('a', 'Choose the agent', () => act('assign-coder')),
    key('e', 'Edit', () => act('edit')),
    key('m', 'Move to…', () => selection.openMenu(selection.selected)),
    key('n', 'Next that needs you', nextThatNeedsYou),
    key('f', 'Find', () => document.getElementById(FIND_FIELD_ID)?.focus()),
  ]);
}
