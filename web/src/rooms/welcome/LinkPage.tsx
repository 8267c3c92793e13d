import { type FormEvent, useRef, useState } from 'react';

import { commands } from '../../api/commands';
import { Failure } from '../../api/failure';
import { Link, redirect } from '../../app/router';
import { to } from '../../app/routes';
import { useSignIn } from '../../app/session';
import { useTitle } from '../../app/title';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { FailureNotice, Notice } from '../../ui/Notice';
import {
  type FirstSignIn,
  type FirstSignInProblems,
  SHORTEST_PASSWORD,
  signInWithoutPassword,
  signInWithPassword,
} from './firstSignIn';
import './welcome.css';

/** Signs in with the one-time link that `forge serve` prints, after asking how to come back. */
export function LinkPage({ code }: { code: string }) {
  const signIn = useSignIn(commands.useLink, (link) =>
    redirect(link.password == null ? to.accountWithoutPassword() : to.home()),
  );
  const [problems, setProblems] = useState<FirstSignInProblems>({});
  const [skipping, setSkipping] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useTitle('Welcome');
  const use = (read: typeof signInWithPassword) => {
    if (form.current === null) {
      return;
    }
    const data = new FormData(form.current);
    const field = (name: string) => String(data.get(name) ?? '');
    const made: FirstSignIn = read(code, {
      name: field('name'),
      password: field('password'),
      again: field('again'),
    });
    setProblems(made.problems ?? {});
    if (made.problems === null) {
      signIn.mutate(made.link);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    use(signInWithPassword);
  };
  if (signIn.error instanceof Failure && signIn.error.body?.code === 'link_used') {
    return (
      <main className="gate">
        <h1>Forge</h1>
        <FailureNotice failure={signIn.error} />
        <Link href={to.home()}>Sign in with a password</Link>
      </main>
    );
  }
  return (
    <main className="gate">
      <h1>Set up your sign-in</h1>
      <form ref={form} className="panel" aria-label="Choose a password" onSubmit={submit} noValidate>
        <TextField
          label="Name"
          name="name"
          hint="Left empty, admin."
          problem={problems.name}
          autoComplete="username"
          spellCheck={false}
          autoFocus
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          hint={`Recommended, at least ${SHORTEST_PASSWORD} characters: the link works once, the password every time.`}
          problem={problems.password}
          autoComplete="new-password"
        />
        <TextField
          label="Password again"
          name="again"
          type="password"
          problem={problems.again}
          autoComplete="new-password"
        />
        <FailureNotice failure={signIn.error} />
        <Button primary type="submit" busy={signIn.isPending}>
          Sign in
        </Button>
        {skipping ? (
          <>
            <Notice tone="warning" title="Without a password or a token there is no way back in after signing out.">
              You can make a token right after this. It opens the command line, but not this page.
            </Notice>
            <Button busy={signIn.isPending} onClick={() => use(signInWithoutPassword)} autoFocus>
              Sign in without a password
            </Button>
          </>
        ) : (
          <Button quiet onClick={() => setSkipping(true)}>
            Go on without a password
          </Button>
        )}
      </form>
    </main>
  );
}
