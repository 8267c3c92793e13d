/** A line at the bottom left about something that just happened. */
export interface Toast {
  id: number;
  text: string;
  tone: 'info' | 'failed';
  /** Takes it back; offered while the toast is shown. */
  undo?: (() => void) | undefined;
}

const SHOWN_MS = 8_000;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function publish(changed: readonly Toast[]): void {
  toasts = changed;
  for (const notify of listeners) {
    notify();
  }
}

/** Shows a toast. A failure stays until it is closed; all others go after eight seconds. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = nextId;
  nextId += 1;
  publish([...toasts, { ...toast, id }]);
  if (toast.tone !== 'failed') {
    setTimeout(() => closeToast(id), SHOWN_MS);
  }
}

export function closeToast(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id));
}

/** Takes back the latest action that offers it; false if there is none. */
export function undoLatest(): boolean {
  const latest = toasts.findLast(({ undo }) => undo !== undefined);
  if (latest?.undo === undefined) {
    return false;
  }
  closeToast(latest.id);
  latest.undo();
  return true;
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentToasts = (): readonly Toast[] => toasts;
