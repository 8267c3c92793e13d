import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 48rem)';

function onWidth(listener: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Whether things stand below each other, as on a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(onWidth, () => window.matchMedia(NARROW).matches);
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Whether somebody can see the page. */
export function useVisible(): boolean {
  return useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
}
