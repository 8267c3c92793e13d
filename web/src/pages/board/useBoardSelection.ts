import { useMemo, useState } from 'react';

import { type BoardChoice, useBoardChoice } from './useBoardChoice';

/** Which card the keyboard acts on, and whose menu is open. */
export interface BoardSelection {
  selected: string | null;
  /** The selection came from a key, so the card scrolls into view and takes the focus. */
  isByKeyboard: boolean;
  menuOf: string | null;
  /** The tasks chosen for actions on all of them. */
  choice: BoardChoice;
  select: (task: string | null) => void;
  openMenu: (task: string | null) => void;
  /** Goes up or down within the column, or to the column beside it. */
  step: (columns: readonly (readonly string[])[], direction: 'up' | 'down' | 'left' | 'right') => void;
  jumpTo: (task: string) => void;
}

export function useBoardSelection(): BoardSelection {
  const [selected, setSelected] = useState<string | null>(null);
  const [isByKeyboard, setByKeyboard] = useState(false);
  const [menuOf, openMenu] = useState<string | null>(null);
  const choice = useBoardChoice();
  return useMemo(() => {
    const jumpTo = (task: string) => {
      setByKeyboard(true);
      setSelected(task);
    };
    return {
      selected,
      isByKeyboard,
      menuOf,
      choice,
      openMenu,
      jumpTo,
      select: (task) => {
        if (task !== selected) {
          setByKeyboard(false);
          setSelected(task);
        }
      },
      step: (columns, direction) => {
        const next = stepFrom(columns, selected, direction);
        if (next !== null) {
          jumpTo(next);
        }
      },
    };
  }, [selected, isByKeyboard, menuOf, choice]);
}

/** The card beside the selected one; without a selection, the first of all. */
export function stepFrom(
  columns: readonly (readonly string[])[],
  selected: string | null,
  direction: 'up' | 'down' | 'left' | 'right',
): string | null {
  const filled = columns.filter((column) => column.length > 0);
  const at = filled.findIndex((column) => selected !== null && column.includes(selected));
  const column = filled[at];
  if (column === undefined || selected === null) {
    return filled[0]?.[0] ?? null;
  }
  const row = column.indexOf(selected);
  if (direction === 'up' || direction === 'down') {
    return column[row + (direction === 'down' ? 1 : -1)] ?? null;
  }
  const beside = filled[at + (direction === 'right' ? 1 : -1)];
  return beside?.[Math.min(row, beside.length - 1)] ?? null;
}
