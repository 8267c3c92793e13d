import { useEffect, useRef } from 'react';

import { commands } from '../../api/commands';
import { Link, redirect } from '../../app/router';
import { to } from '../../app/routes';
import { useSignIn } from '../../app/session';
import { Loading } from '../../ui/Loading';
import { FailureNotice } from '../../ui/Notice';
import './welcome.css';

/** Signs in with the one-time link that `forge serve` prints. */
export function LinkPage({ code }: { code: string }) {
  const { mutate, error } = useSignIn(commands.useLink, () => redirect(to.home()));
  // The code works once, so it must be sent once, however often effects run.
  const sent = useRef(false);
  useEffect(() => {
    if (!sent.current) {
      sent.current = true;
      mutate(code);
    }
  }, [code, mutate]);
  return (
    <main className="gate">
      <h1>Forge</h1>
      {error === null ? <Loading what="your session" /> : null}
      <FailureNotice failure={error} />
      {error === null ? null : <Link href={to.home()}>Sign in with a password</Link>}
    </main>
  );
}
