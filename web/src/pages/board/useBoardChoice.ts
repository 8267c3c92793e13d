import { useMemo, useState } from 'react';

/** The tasks chosen on a board, for actions on all of them. */
export interface BoardChoice {
  chosen: ReadonlySet<string>;
  toggle: (task: string) => void;
  /** All from the one that was toggled last to this one, in the order of the board. */
  extendTo: (task: string, order: readonly string[]) => void;
  clear: () => void;
}

export function useBoardChoice(): BoardChoice {
  const [{ chosen, last }, set] = useState<{ chosen: ReadonlySet<string>; last: string | null }>({
    chosen: new Set(),
    last: null,
  });
  return useMemo(
    () => ({
      chosen,
      toggle: (task) => set({ chosen: toggled(chosen, task), last: task }),
      extendTo: (task, order) => set({ chosen: new Set([...chosen, ...between(order, last, task)]), last: task }),
      clear: () => set({ chosen: new Set(), last: null }),
    }),
    [chosen, last],
  );
}

function toggled(chosen: ReadonlySet<string>, task: string): ReadonlySet<string> {
  const after = new Set(chosen);
  if (!after.delete(task)) {
    after.add(task);
  }
  return after;
}

/** The tasks from one to another; only the other where there is no first. */
export function between(order: readonly string[], first: string | null, last: string): string[] {
  const [from, to] = [first === null ? -1 : order.indexOf(first), order.indexOf(last)];
  return from < 0 || to < 0 ? [last] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
}
