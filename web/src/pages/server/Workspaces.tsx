import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { orphansQuery, projectsQuery, workspacesQuery } from '../../api/queries';
import { Tag } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { FormSection } from '../../ui/FormPage';
import { Loaded } from '../../ui/Loaded';
import { FailureNotice, Notice } from '../../ui/Notice';
import { Panel } from '../../ui/Panel';
import { showToast } from '../../ui/toastStore';
import { humanize, plural } from '../../ui/words';
import styles from './ServerPage.module.css';

/** The worktrees on disk, and the directories that belong to no task. */
export function Workspaces({ isAdmin }: { isAdmin: boolean }) {
  const cache = useQueryClient();
  const workspaces = useQuery(workspacesQuery());
  const projects = useQuery(projectsQuery());
  const clean = useMutation({
    mutationFn: commands.cleanWorkspaces,
    onSuccess: ({ items }) => {
      const removed = items.filter(({ verdict }) => verdict === 'removed').length;
      showToast({ text: `${plural(removed, 'workspace')} removed.`, tone: 'info' });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.workspaces() }),
  });
  return (
    <FormSection title="Workspaces" lead="Each task works in its own worktree. What has no worktree is not listed.">
      <Panel>
        <Loaded what="the workspaces" query={workspaces}>
          {(list) =>
            list.length === 0 ? (
              <p>No worktree is on the disk.</p>
            ) : (
              <ul className={styles.list} aria-label="Workspaces">
                {list.map(({ task_id, key, title, path, status, branch, project_id, last_error }) => {
                  const project = projects.data?.find(({ id }) => id === project_id)?.slug;
                  return (
                    <li key={task_id} className={styles.row}>
                      <span className={styles.grow}>
                        {project === undefined ? (
                          `${key} ${title}`
                        ) : (
                          <Link to="/projects/$project/$taskKey" params={{ project, taskKey: key }}>
                            {key} {title}
                          </Link>
                        )}
                        <span className={styles.note} title={path}>
                          {last_error ?? branch ?? path}
                        </span>
                      </span>
                      <Tag>{humanize(status)}</Tag>
                    </li>
                  );
                })}
              </ul>
            )
          }
        </Loaded>
        {isAdmin ? (
          <>
            <Orphans />
            <FailureNotice failure={clean.error} />
            <div>
              <Button busy={clean.isPending} onClick={() => clean.mutate()}>
                Remove those of ended tasks
              </Button>
            </div>
          </>
        ) : null}
      </Panel>
    </FormSection>
  );
}

function Orphans() {
  const orphans = useQuery(orphansQuery());
  const list = orphans.data ?? [];
  return list.length === 0 ? null : (
    <Notice tone="warning" title={`${plural(list.length, 'directory', 'directories')} of no live task`}>
      <ul>
        {list.map(({ path, reason }) => (
          <li key={path}>
            <code>{path}</code>: {reason}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
