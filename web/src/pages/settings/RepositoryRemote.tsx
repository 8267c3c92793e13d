import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { repoConfigQuery, repoRemoteQuery } from '../../api/queries';
import type { Repo } from '../../api/types';
import { useMe } from '../../app/session/session';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { FailureNotice, Notice } from '../../ui/Notice';
import { SettingRow } from '../../ui/SettingRow';
import { Switch } from '../../ui/Switch';
import { humanize } from '../../ui/words';
import styles from './Repositories.module.css';

/** Whether a repository's landings are pushed, with which token, and what changed in its git settings. */
export function RepositoryRemote({ repo }: { repo: Repo }) {
  const cache = useQueryClient();
  const remote = useQuery(repoRemoteQuery(repo));
  const [token, setToken] = useState('');
  const refresh = () => cache.invalidateQueries({ queryKey: keys.remote(repo.project_id) });
  const push = useMutation({
    mutationFn: (isOn: boolean) => commands.setRepoPush(repo, isOn),
    onSettled: refresh,
  });
  const credential = useMutation({
    mutationFn: (written: string | null) =>
      written === null ? commands.removeRepoToken(repo) : commands.setRepoToken(repo, written),
    // The token stays in memory no longer than its form.
    gcTime: 0,
    onSuccess: () => setToken(''),
    onSettled: refresh,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() !== '') {
      credential.mutate(token.trim());
    }
  };
  const { data } = remote;
  return (
    <div className={styles.details}>
      <ConfigChanges repo={repo} />
      {data === undefined || (data.url === null && repo.path === null) ? null : (
        <SettingRow title="Push landed commits" hint={data.url ?? 'To the remote origin of the repository.'}>
          <Switch
            label={`Push landed commits of ${repo.name}`}
            isOn={push.isPending ? push.variables : data.push}
            disabled={push.isPending}
            onChange={(isOn) => push.mutate(isOn)}
          />
        </SettingRow>
      )}
      <FailureNotice failure={push.error} />
      {data?.has_token === true ? (
        <SettingRow title="Token" hint="Set. It is never shown.">
          <Button size="small" busy={credential.isPending} onClick={() => credential.mutate(null)}>
            Remove token
          </Button>
        </SettingRow>
      ) : data?.url == null ? null : (
        <form aria-label={`Token of ${repo.name}`} onSubmit={submit} className={styles.add}>
          <TextField
            label="Token"
            type="password"
            autoComplete="off"
            value={token}
            onChange={({ target }) => setToken(target.value)}
          />
          <Button type="submit" disabled={token.trim() === ''} busy={credential.isPending}>
            Set token
          </Button>
        </form>
      )}
      <FailureNotice failure={credential.error} />
    </div>
  );
}

/** Git settings can start programs, so a change waits for an admin. */
function ConfigChanges({ repo }: { repo: Repo }) {
  const cache = useQueryClient();
  const config = useQuery(repoConfigQuery(repo));
  const isAdmin = useMe().user?.role === 'admin';
  const accept = useMutation({
    mutationFn: () => commands.acceptRepoConfig(repo),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.remote(repo.project_id) }),
  });
  const changes = config.data?.changes ?? [];
  return changes.length === 0 ? null : (
    <>
      <Notice
        tone="warning"
        title={
          config.data?.holds === true
            ? 'Its git settings changed. Tasks wait until an admin accepts them.'
            : 'Its git settings changed.'
        }
      >
        <ul>
          {changes.map(({ file, key, kind }) => (
            <li key={`${file} ${key}`}>
              {humanize(kind)}: <code>{key}</code> in <code>{file}</code>
            </li>
          ))}
        </ul>
      </Notice>
      <FailureNotice failure={accept.error} />
      {isAdmin ? (
        <div>
          <Button size="small" busy={accept.isPending} onClick={() => accept.mutate()}>
            Accept the settings
          </Button>
        </div>
      ) : null}
    </>
  );
}
