import { useSyncExternalStore } from 'react';

import type { Task } from '../api/types';
import type { PlannedAction } from '../task/actionPlan';

/** What lies over the page: one thing at a time. */
export type Overlay =
  | { kind: 'palette' }
  | { kind: 'key-help' }
  | { kind: 'new-task'; project?: string | undefined }
  | { kind: 'action'; task: Task; planned: PlannedAction };

let current: Overlay | null = null;
const listeners = new Set<() => void>();

function show(overlay: Overlay | null): void {
  current = overlay;
  for (const notify of listeners) {
    notify();
  }
}

export const openOverlay = (overlay: Overlay): void => show(overlay);
export const closeOverlay = (): void => show(null);

export function useOverlay(): Overlay | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
