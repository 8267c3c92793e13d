import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CirclePlay } from 'lucide-react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { FailureNotice } from '../../ui/Notice';
import styles from './SetupPage.module.css';

/** Starts the demo in a scratch repository and opens its board. */
export function RunDemo() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const demo = useMutation({
    mutationFn: commands.startDemo,
    onSuccess: async ({ project_id }) => {
      await cache.invalidateQueries({ queryKey: keys.projects() });
      await navigate({ to: '/projects/$project', params: { project: project_id } });
    },
  });
  return (
    <>
      <div className={styles.demo}>
        <Icon icon={CirclePlay} size={20} />
        <div className={styles.demoText}>
          <strong>Just looking?</strong>
          <p>
            The demo runs six tasks with simulated agents in a scratch repository: one fails its checks once, two
            conflict. It takes 20 seconds.
          </p>
        </div>
        <Button busy={demo.isPending} onClick={() => demo.mutate()}>
          Run the demo
        </Button>
      </div>
      <FailureNotice failure={demo.error} />
    </>
  );
}
