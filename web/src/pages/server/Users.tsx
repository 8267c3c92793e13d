import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { usersQuery } from '../../api/queries';
import { NamedAvatar } from '../../ui/Avatar';
import { Tag } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { SelectField, TextField } from '../../ui/Field';
import { FormSection } from '../../ui/FormPage';
import { Loaded } from '../../ui/Loaded';
import { FailureNotice } from '../../ui/Notice';
import { Panel } from '../../ui/Panel';
import { RelativeTime } from '../../ui/RelativeTime';
import { SHORTEST_PASSWORD } from '../welcome/firstSignIn';
import styles from './ServerPage.module.css';

const EMPTY = { name: '', password: '', role: 'member' as 'member' | 'admin' };

/** Who can sign in. */
export function Users({ isAdmin }: { isAdmin: boolean }) {
  const users = useQuery(usersQuery());
  return (
    <FormSection title="Users" lead="Admins see every project and change the server. Members see their projects.">
      <Panel>
        <Loaded what="the users" query={users}>
          {(list) => (
            <ul className={styles.list} aria-label="Users">
              {list.map(({ id, name, role, created_at }) => (
                <li key={id} className={styles.row}>
                  <span className={styles.grow}>
                    <NamedAvatar kind="user" name={name} size="medium" />
                  </span>
                  {role === 'admin' ? <Tag>Admin</Tag> : null}
                  <span className={styles.note}>
                    since <RelativeTime at={created_at} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
        {isAdmin ? <NewUser /> : null}
      </Panel>
    </FormSection>
  );
}

function NewUser() {
  const cache = useQueryClient();
  const [fields, setFields] = useState(EMPTY);
  const [problem, setProblem] = useState<string>();
  const create = useMutation({
    mutationFn: () => commands.createUser(fields.name.trim(), fields.password, fields.role),
    // A password stays in memory no longer than its form.
    gcTime: 0,
    onSuccess: () => setFields(EMPTY),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.users() }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isShort = [...fields.password].length < SHORTEST_PASSWORD;
    setProblem(isShort ? `Write at least ${SHORTEST_PASSWORD} characters.` : undefined);
    if (!isShort) {
      create.mutate();
    }
  };
  return (
    <form aria-label="Add a user" onSubmit={submit} noValidate style={{ display: 'contents' }}>
      <div className={styles.fields}>
        <TextField
          label="Name"
          value={fields.name}
          autoComplete="off"
          onChange={({ target }) => setFields({ ...fields, name: target.value })}
        />
        <TextField
          label="First password"
          type="password"
          value={fields.password}
          problem={problem}
          autoComplete="new-password"
          onChange={({ target }) => setFields({ ...fields, password: target.value })}
        />
        <SelectField
          label="Role"
          value={fields.role}
          onChange={({ target }) => setFields({ ...fields, role: target.value === 'admin' ? 'admin' : 'member' })}
        >
          <option value="member">Member</option>
          <option value="admin">Admin</option>
        </SelectField>
      </div>
      <FailureNotice failure={create.error} />
      <div>
        <Button type="submit" disabled={fields.name.trim() === ''} busy={create.isPending}>
          Add user
        </Button>{' '}
        <span role="status">{create.isSuccess ? `${create.data.name} added` : ''}</span>
      </div>
    </form>
  );
}
