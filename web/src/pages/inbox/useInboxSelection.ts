import { useEffect, useRef, useState } from 'react';

import type { NeedsPerson } from '../../api/types';
import { useHotkeys } from '../../app/hotkeys/useHotkeys';

/** The rows in the order in which the page shows them. */
function shownRows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('#content [data-row]')];
}

/** Which row is previewed. The order of rows is kept for as long as the page is open. */
export function useInboxSelection(needsYou: readonly NeedsPerson[]) {
  const [selected, select] = useState<string | null>(null);
  const [order, setOrder] = useState<readonly string[]>([]);
  const known = useRef(new Set<string>());
  useEffect(() => {
    const arrived = needsYou.map(({ task_id }) => task_id).filter((id) => !known.current.has(id));
    if (arrived.length > 0) {
      for (const id of arrived) {
        known.current.add(id);
      }
      setOrder((before) => [...before, ...arrived]);
    }
  }, [needsYou]);
  const step = (by: 1 | -1) => {
    const rows = shownRows();
    const at = rows.findIndex((row) => row === document.activeElement || row.dataset['row'] === selected);
    const next = at < 0 ? rows[0] : rows[at + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
    select(next?.dataset['row'] ?? selected);
  };
  const openSelected = () => {
    const rows = shownRows();
    (rows.find((row) => row.dataset['row'] === selected) ?? rows[0])?.click();
  };
  const group = 'Inbox';
  useHotkeys([
    { keys: 'j', label: 'Next', group, run: () => step(1) },
    { keys: 'k', label: 'Previous', group, run: () => step(-1) },
    { keys: 'arrowdown', label: 'Next', group, run: () => step(1) },
    { keys: 'arrowup', label: 'Previous', group, run: () => step(-1) },
    { keys: 'n', label: 'Next that needs you', group, run: () => step(1) },
    { keys: 'enter', label: 'Open', group, run: openSelected },
  ]);
  return { selected, order, select };
}
