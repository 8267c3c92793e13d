import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { membersQuery, usersQuery } from '../../api/queries';
import type { Project } from '../../api/types';
import { NamedAvatar } from '../../ui/Avatar';
import { Button } from '../../ui/Button';
import { SelectField } from '../../ui/Field';
import { FormSection } from '../../ui/FormPage';
import { Loaded } from '../../ui/Loaded';
import { FailureNotice } from '../../ui/Notice';
import { Panel } from '../../ui/Panel';
import styles from './Repositories.module.css';

/** The users who see the project. Admins see every project. */
export function Members({ project }: { project: Project }) {
  const cache = useQueryClient();
  const members = useQuery(membersQuery(project.id));
  const users = useQuery(usersQuery());
  const [chosen, setChosen] = useState('');
  const change = useMutation({
    mutationFn: ({ user, isMember }: { user: string; isMember: boolean }) =>
      isMember ? commands.removeMember(project.id, user) : commands.addMember(project.id, user),
    onSuccess: () => setChosen(''),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.members(project.id) }),
  });
  const known = new Set(members.data?.map(({ user_id }) => user_id));
  const others = (users.data ?? []).filter(({ id, role }) => !known.has(id) && role !== 'admin');
  return (
    <FormSection title="Members" lead="Members see this project and work in it. Admins see every project.">
      <Panel>
        <Loaded what="the members" query={members}>
          {(list) =>
            list.length === 0 ? (
              <p>No member yet.</p>
            ) : (
              <ul className={styles.list} aria-label="Members">
                {list.map(({ user_id, name }) => (
                  <li key={user_id} className={styles.repo}>
                    <span className={styles.text}>
                      <NamedAvatar kind="user" name={name} size="medium" />
                    </span>
                    <Button
                      size="small"
                      aria-label={`Remove ${name}`}
                      busy={change.isPending && change.variables.user === user_id}
                      onClick={() => change.mutate({ user: user_id, isMember: true })}
                    >
                      Remove
                    </Button>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
        {others.length === 0 ? null : (
          <div className={styles.add}>
            <SelectField label="User" value={chosen} onChange={({ target }) => setChosen(target.value)}>
              <option value="">Choose a user</option>
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            <Button
              disabled={chosen === ''}
              busy={change.isPending}
              onClick={() => change.mutate({ user: chosen, isMember: false })}
            >
              Add member
            </Button>
          </div>
        )}
        <FailureNotice failure={change.error ?? users.error} />
      </Panel>
    </FormSection>
  );
}
