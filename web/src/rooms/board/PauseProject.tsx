import { useMutation, useQueryClient } from '@tanstack/react-query';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Project } from '../../api/types';
import { Button } from '../../ui/Button';
import { FailureNotice } from '../../ui/Notice';

/** Stops agents from claiming, and lets them again. */
export function PauseProject({ project }: { project: Project }) {
  const cache = useQueryClient();
  const paused = project.paused_at !== null;
  const toggle = useMutation({
    mutationFn: () => (paused ? commands.resumeProject(project.id) : commands.pauseProject(project.id)),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.project(project.id) }),
  });
  return (
    <>
      <Button quiet busy={toggle.isPending} onClick={() => toggle.mutate()}>
        {paused ? 'Resume project' : 'Pause project'}
      </Button>
      <FailureNotice failure={toggle.error} />
    </>
  );
}
