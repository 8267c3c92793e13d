import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pause, Play, Settings2 } from 'lucide-react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Project } from '../../api/types';
import type { MenuAction } from '../../ui/menuEntries';
import { showToast } from '../../ui/toastStore';

/** Pauses and resumes the project, and leads to its settings. */
export function useProjectMenu(project: Project): { toggle: MenuAction; settings: MenuAction } {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const isPaused = project.paused_at !== null;
  const change = useMutation({
    mutationFn: () => (isPaused ? commands.resumeProject(project.id) : commands.pauseProject(project.id)),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.projects() }),
    onError: (error) => showToast({ text: error.message, tone: 'failed' }),
  });
  return {
    toggle: {
      id: 'pause',
      label: isPaused ? 'Resume project' : 'Pause project',
      icon: isPaused ? Play : Pause,
      onSelect: () => change.mutate(),
    },
    settings: {
      id: 'settings',
      label: 'Project settings',
      icon: Settings2,
      onSelect: () => void navigate({ to: '/projects/$project/settings', params: { project: project.slug } }),
    },
  };
}
