import { type FormEvent, useRef, useState } from 'react';

import { commands } from '../../api/commands';
import { Failure } from '../../api/failure';
import { replaceAddress, useSignIn } from '../../app/session/session';
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
import { GateFrame } from './GateFrame';
import styles from './GateFrame.module.css';

interface LinkPageProps {
  code: string;
  /** The code was used or is not wanted: go on to the page behind it. */
  onDone: () => void;
}

/** Signs in with a one-time link, of `forge serve` or of an admin, and asks for the name and password of the next time. */
export function LinkPage({ code, onDone }: LinkPageProps) {
  const signIn = useSignIn(commands.useLink, (link) => {
    replaceAddress(link.password == null ? '/account?without=password' : '/');
    onDone();
  });
  const [problems, setProblems] = useState<FirstSignInProblems>({});
  const [isSkipping, setSkipping] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useTitle('Welcome');
  const use = (read: typeof signInWithPassword) => {
    if (form.current === null) {
      return;
    }
    const data = new FormData(form.current);
    const field = (name: string) => String(data.get(name) ?? '');
    const made: FirstSignIn = read(code, { name: field('name'), password: field('password'), again: field('again') });
    setProblems(made.problems ?? {});
    if (made.problems === null) {
      signIn.mutate(made.link);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    use(signInWithPassword);
  };
  const goToSignIn = () => {
    replaceAddress('/');
    onDone();
  };
  if (signIn.error instanceof Failure && signIn.error.body?.code === 'link_used') {
    return (
      <GateFrame title="This link was used">
        <FailureNotice failure={signIn.error} />
        <div>
          <Button look="primary" onClick={goToSignIn}>
            Sign in with a password
          </Button>
        </div>
      </GateFrame>
    );
  }
  return (
    <GateFrame title="Set up your sign-in">
      <form ref={form} className={styles.form} aria-label="Choose a password" onSubmit={submit} noValidate>
        <TextField
          label="Name"
          name="name"
          hint="Left empty: admin on a new server, your own name with a link from an admin."
          problem={problems.name}
          autoComplete="username"
          spellCheck={false}
          autoFocus
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          hint={`At least ${SHORTEST_PASSWORD} characters. The link works once, the password every time.`}
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
        <Button look="primary" size="large" type="submit" busy={signIn.isPending}>
          Sign in
        </Button>
        {isSkipping ? (
          <>
            <Notice tone="warning" title="Without a password or a token there is no way back in after signing out.">
              You can make a token right after this. It opens the command line, but not this page.
            </Notice>
            <Button busy={signIn.isPending} onClick={() => use(signInWithoutPassword)} autoFocus>
              Sign in without a password
            </Button>
          </>
        ) : (
          <Button look="ghost" onClick={() => setSkipping(true)}>
            Go on without a password
          </Button>
        )}
      </form>
    </GateFrame>
  );
}
