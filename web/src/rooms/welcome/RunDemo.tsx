import { useMutation } from '@tanstack/react-query';

import { commands } from '../../api/commands';
import { navigate } from '../../app/router';
import { to } from '../../app/routes';
import { Button } from '../../ui/Button';
import { FailureNotice } from '../../ui/Notice';

/** Starts the demo in a throw-away repository and shows its board. */
export function RunDemo({ primary }: { primary: boolean }) {
  const demo = useMutation({
    mutationFn: commands.startDemo,
    onSuccess: ({ project_id }) => navigate(to.board(project_id)),
  });
  return (
    <div className="panel">
      <p>
        Scripted agents make real edits in a throw-away repository: six tasks, one that fails its checks once, two that
        conflict. Watch them land.
      </p>
      <FailureNotice failure={demo.error} />
      <Button primary={primary} busy={demo.isPending} onClick={() => demo.mutate()}>
        Run the demo
      </Button>
    </div>
  );
}
