import { useSyncExternalStore } from 'react';

/** Widths at which the frame changes. */
export const PHONE = '(max-width: 640px)';
export const NARROW = '(max-width: 1180px)';

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
  );
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Whether the page can be seen. */
export function useVisible(): boolean {
  return useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
}
