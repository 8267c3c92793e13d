import { useSyncExternalStore } from 'react';

import type { DiffMode } from './diffRows';

/** How this browser shows diffs. Like the theme it belongs to the screen, not to the account. */
export interface DiffPreferences {
  mode: DiffMode;
  isWrapped: boolean;
  isWhitespaceHidden: boolean;
}

const STORED_AS = 'forge.diff';
const DEFAULT: DiffPreferences = { mode: 'split', isWrapped: false, isWhitespaceHidden: false };
const listeners = new Set<() => void>();
let current = read();

function read(): DiffPreferences {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? 'null');
    const { mode, isWrapped, isWhitespaceHidden } = { ...DEFAULT, ...(stored as Partial<DiffPreferences> | null) };
    return {
      mode: mode === 'unified' ? 'unified' : 'split',
      isWrapped: isWrapped === true,
      isWhitespaceHidden: isWhitespaceHidden === true,
    };
  } catch {
    return DEFAULT;
  }
}

export function changeDiffPreferences(changed: Partial<DiffPreferences>): void {
  current = { ...current, ...changed };
  localStorage.setItem(STORED_AS, JSON.stringify(current));
  for (const notify of listeners) {
    notify();
  }
}

export function useDiffPreferences(): DiffPreferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
