import type { FormEvent } from 'react';

import { commands } from '../../api/commands';
import { useSignIn } from '../../app/session/session';
import { useTitle } from '../../app/title';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import { GateFrame } from './GateFrame';
import styles from './GateFrame.module.css';

interface Password {
  name: string;
  password: string;
}

/** Signs in with a name and a password. */
export function SignInPage() {
  const signIn = useSignIn(({ name, password }: Password) => commands.login(name, password));
  useTitle('Sign in');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    signIn.mutate({ name: String(fields.get('name')), password: String(fields.get('password')) });
  };
  return (
    <GateFrame title="Sign in">
      <form className={styles.form} aria-label="Sign in" onSubmit={submit}>
        <TextField label="Name" name="name" autoComplete="username" required autoFocus />
        <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
        <FailureNotice failure={signIn.error} />
        <Button look="primary" size="large" type="submit" busy={signIn.isPending}>
          Sign in
        </Button>
      </form>
      <p className={styles.hint}>
        First time here? Open the one-time link that <code>forge serve</code> printed when it started.
      </p>
    </GateFrame>
  );
}
