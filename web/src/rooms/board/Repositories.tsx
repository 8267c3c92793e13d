import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Repo } from '../../api/types';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { FailureNotice } from '../../ui/Notice';

/** The repositories of a project; one that no task needs can be taken away. */
export function Repositories({ repos }: { repos: readonly Repo[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button quiet aria-expanded={open} onClick={() => setOpen(!open)}>
        Repositories ({repos.length})
      </Button>
      {open ? (
        <ul className="panel repositories" aria-label="Repositories">
          {repos.map((repo) => (
            <Repository key={repo.id} repo={repo} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

function Repository({ repo }: { repo: Repo }) {
  const cache = useQueryClient();
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => commands.removeRepo(repo.project_id, repo.id),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.repos(repo.project_id) }),
  });
  return (
    <li>
      <strong>{repo.name}</strong> {repo.primary ? <Badge>primary</Badge> : null}{' '}
      <span className="fine">{repo.url ?? repo.path}</span>{' '}
      {asking ? (
        <span role="group" aria-label={`Remove ${repo.name}?`}>
          <Button autoFocus disabled={remove.isPending} onClick={() => setAsking(false)}>
            Keep it
          </Button>{' '}
          <Button primary busy={remove.isPending} onClick={() => remove.mutate()}>
            Remove it
          </Button>
        </span>
      ) : (
        <Button aria-label={`Remove ${repo.name}`} onClick={() => setAsking(true)}>
          Remove
        </Button>
      )}
      <FailureNotice failure={remove.error} />
    </li>
  );
}
