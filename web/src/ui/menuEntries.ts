import type { LucideIcon } from 'lucide-react';

/** One line of a menu. */
export interface MenuAction {
  kind?: 'action';
  id: string;
  label: string;
  icon?: LucideIcon | undefined;
  hotkey?: string | undefined;
  isDanger?: boolean;
  isChecked?: boolean;
  /** Why it cannot be chosen now. */
  disabledBecause?: string | undefined;
  onSelect: () => void;
}

export interface MenuSubmenu {
  kind: 'submenu';
  id: string;
  label: string;
  icon?: LucideIcon | undefined;
  entries: readonly MenuEntry[];
}

export type MenuEntry =
  | MenuAction
  | MenuSubmenu
  | { kind: 'line'; id: string }
  | { kind: 'heading'; id: string; label: string };
