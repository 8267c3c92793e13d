import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import {
  Bot,
  FolderGit2,
  FolderPlus,
  Inbox,
  Keyboard,
  type LucideIcon,
  Moon,
  Palette,
  Plus,
  Radar,
  Server,
  Settings2,
  SquareKanban,
  Sun,
  TrainFront,
  UserRound,
} from 'lucide-react';

import { projectsQuery } from '../../api/queries';
import { openOverlay } from '../overlayStore';
import { chooseTheme } from '../theme';

/** One line of the palette. */
export interface PaletteEntry {
  id: string;
  label: string;
  icon: LucideIcon;
  /** The key of a task, shown before its title. */
  key?: string;
  hotkey?: string;
  run: () => void;
}

interface PaletteGroup {
  heading: string;
  entries: readonly PaletteEntry[];
}

/** What can be done and opened from everywhere. */
export function usePageCommands(): readonly PaletteGroup[] {
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery());
  const { project } = useParams({ strict: false });
  const here: PaletteEntry[] =
    project === undefined
      ? []
      : [
          {
            id: 'board',
            label: 'Board',
            icon: SquareKanban,
            hotkey: 'G B',
            run: () => void navigate({ to: '/projects/$project', params: { project } }),
          },
          {
            id: 'train',
            label: 'Train',
            icon: TrainFront,
            hotkey: 'G T',
            run: () => void navigate({ to: '/projects/$project/train', params: { project } }),
          },
          {
            id: 'conflicts',
            label: 'Conflicts',
            icon: Radar,
            hotkey: 'G C',
            run: () => void navigate({ to: '/projects/$project/conflicts', params: { project } }),
          },
          {
            id: 'settings',
            label: 'Project settings',
            icon: Settings2,
            run: () => void navigate({ to: '/projects/$project/settings', params: { project } }),
          },
        ];
  return [
    {
      heading: 'Actions',
      entries: [
        {
          id: 'new-task',
          label: 'New task',
          icon: Plus,
          hotkey: 'C',
          run: () => openOverlay({ kind: 'new-task', project }),
        },
        { id: 'add-project', label: 'Add a project', icon: FolderPlus, run: () => void navigate({ to: '/setup' }) },
        { id: 'light', label: 'Light theme', icon: Sun, run: () => chooseTheme('light') },
        { id: 'dark', label: 'Dark theme', icon: Moon, run: () => chooseTheme('dark') },
        { id: 'keys', label: 'Show keys', icon: Keyboard, hotkey: '?', run: () => openOverlay({ kind: 'key-help' }) },
      ],
    },
    {
      heading: 'Go to',
      entries: [
        { id: 'inbox', label: 'Inbox', icon: Inbox, hotkey: 'G I', run: () => void navigate({ to: '/' }) },
        ...here,
        { id: 'agents', label: 'Agents', icon: Bot, hotkey: 'G A', run: () => void navigate({ to: '/agents' }) },
        { id: 'server', label: 'Server', icon: Server, run: () => void navigate({ to: '/server' }) },
        { id: 'account', label: 'Your account', icon: UserRound, run: () => void navigate({ to: '/account' }) },
        { id: 'design', label: 'Design system', icon: Palette, run: () => void navigate({ to: '/design' }) },
      ],
    },
    {
      heading: 'Projects',
      entries: (projects.data ?? []).map(({ id, slug, name }) => ({
        id,
        label: name,
        icon: FolderGit2,
        run: () => void navigate({ to: '/projects/$project', params: { project: slug } }),
      })),
    },
  ];
}
