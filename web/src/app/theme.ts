import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The theme belongs to the screen, not to the account, so each browser keeps its own. */
const STORED_AS = 'forge.theme';

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

export function currentTheme(): Theme {
  const stored = localStorage.getItem(STORED_AS);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED_AS, theme);
  applyTheme();
  for (const notify of listeners) {
    notify();
  }
}

/** Sets the colours of the page; `system` follows the operating system. */
export function applyTheme(): void {
  const theme = currentTheme();
  const isDark = theme === 'dark' || (theme === 'system' && dark.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}

/** Applies the theme now and whenever the system's changes. */
export function startTheme(): void {
  applyTheme();
  dark.addEventListener('change', applyTheme);
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
}
