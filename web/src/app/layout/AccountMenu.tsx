import { useNavigate } from '@tanstack/react-router';
import { Keyboard, LogOut, Monitor, Moon, Palette, Server, Sun, UserRound } from 'lucide-react';

import { Avatar } from '../../ui/Avatar';
import { initials } from '../../ui/initials';
import { Menu } from '../../ui/Menu';
import type { MenuEntry } from '../../ui/menuEntries';
import { showToast } from '../../ui/toastStore';
import { openOverlay } from '../overlayStore';
import { nameOf, useMe, useSignOut } from '../session/session';
import { chooseTheme, THEMES, useTheme } from '../theme';
import styles from './Sidebar.module.css';

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon };
const THEME_NAMES = { system: 'As the system', light: 'Light', dark: 'Dark' };

/** The signed-in user, with what belongs to the account. */
export function AccountMenu({ isRail }: { isRail: boolean }) {
  const name = nameOf(useMe());
  const entries = useAccountEntries();
  return (
    <Menu
      label="Account"
      align="start"
      entries={entries}
      trigger={
        <button type="button" className={styles.account} aria-label={`${name}, account menu`}>
          <Avatar kind="user" letters={initials(name)} size="medium" />
          {isRail ? null : name}
        </button>
      }
    />
  );
}

/** What the account menu offers, also for the phone's menu. */
export function useAccountEntries(): readonly MenuEntry[] {
  const navigate = useNavigate();
  const theme = useTheme();
  const signOut = useSignOut();
  const leave = () =>
    signOut.mutate(undefined, { onError: (error) => showToast({ text: error.message, tone: 'failed' }) });
  return [
    { id: 'account', label: 'Your account', icon: UserRound, onSelect: () => void navigate({ to: '/account' }) },
    { id: 'server', label: 'Server', icon: Server, onSelect: () => void navigate({ to: '/server' }) },
    {
      kind: 'submenu',
      id: 'theme',
      label: 'Theme',
      icon: Palette,
      entries: THEMES.map((choice) => ({
        id: choice,
        label: THEME_NAMES[choice],
        icon: THEME_ICONS[choice],
        isChecked: choice === theme,
        onSelect: () => chooseTheme(choice),
      })),
    },
    { id: 'keys', label: 'Keys', icon: Keyboard, hotkey: '?', onSelect: () => openOverlay({ kind: 'key-help' }) },
    { kind: 'line', id: 'line' },
    { id: 'sign-out', label: 'Sign out', icon: LogOut, onSelect: leave },
  ];
}
