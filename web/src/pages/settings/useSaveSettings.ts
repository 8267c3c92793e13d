import { useMutation, useQueryClient } from '@tanstack/react-query';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Project, ProjectSettings } from '../../api/types';

/** Saves some settings of a project and leaves the others as they are. */
export function useSaveSettings(project: Project) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (changed: Partial<ProjectSettings>) => commands.changeProjectSettings(project, changed),
    // Also after a refusal: it means that what is shown is old.
    onSettled: () => cache.invalidateQueries({ queryKey: keys.projects() }),
  });
}
