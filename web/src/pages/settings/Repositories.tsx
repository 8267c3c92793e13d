import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { reposQuery } from '../../api/queries';
import type { Project, Repo } from '../../api/types';
import { Tag } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { EmptyState } from '../../ui/EmptyState';
import { FormSection } from '../../ui/FormPage';
import { Loaded } from '../../ui/Loaded';
import { Panel } from '../../ui/Panel';
import { AddRepository } from '../welcome/AddRepository';
import styles from './Repositories.module.css';
import { RepositoryRemote } from './RepositoryRemote';

/** The repositories of a project. */
export function Repositories({ project }: { project: Project }) {
  const repos = useQuery(reposQuery(project.id));
  const [isAdding, setAdding] = useState(false);
  return (
    <FormSection title="Repositories">
      <Loaded what="the repositories" query={repos}>
        {(list) =>
          list.length === 0 ? (
            <>
              <EmptyState title="This project has no repository yet." />
              <AddRepository project={project} />
            </>
          ) : (
            <>
              <Panel>
                <ul className={styles.list} aria-label="Repositories">
                  {list.map((repo) => (
                    <Repository key={repo.id} repo={repo} />
                  ))}
                </ul>
              </Panel>
              {isAdding ? (
                <AddRepository project={project} />
              ) : (
                <div>
                  <Button onClick={() => setAdding(true)}>Add another repository</Button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </FormSection>
  );
}

function Repository({ repo }: { repo: Repo }) {
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => commands.removeRepo(repo.project_id, repo.id),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.repos(repo.project_id) }),
  });
  return (
    <li>
      <div className={styles.repo}>
        <div className={styles.text}>
          <strong>{repo.name}</strong> {repo.primary ? <Tag>primary</Tag> : null}
          <div className={styles.place}>
            {repo.url ?? repo.path}
            {repo.default_branch === null ? '' : `, ${repo.default_branch}`}
          </div>
        </div>
        <Button look="danger" aria-label={`Remove ${repo.name}`} onClick={() => setAsking(true)}>
          Remove…
        </Button>
      </div>
      <RepositoryRemote repo={repo} />
      {isAsking ? (
        <ConfirmDialog
          title={`Remove ${repo.name}?`}
          body="The project forgets the repository. The repository itself is not touched. One that a task needs cannot be removed."
          confirmLabel="Remove"
          busy={remove.isPending}
          failure={remove.error}
          onKeep={() => setAsking(false)}
          onConfirm={() => remove.mutate()}
        />
      ) : null}
    </li>
  );
}
