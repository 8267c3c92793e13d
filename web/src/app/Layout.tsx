import type { ReactNode } from 'react';

import type { Me } from '../api/types';
import { Button } from '../ui/Button';
import { FailureNotice } from '../ui/Notice';
import { Live } from './Live';
import { Link } from './router';
import { to } from './routes';
import { nameOf, useSignOut } from './session';

/** What surrounds every page of somebody who is signed in. */
export function Layout({ me, path, children }: { me: Me; path: string; children: ReactNode }) {
  const signOut = useSignOut();
  const current = (href: string) => (path === href ? ('page' as const) : undefined);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="top">
        <Link className="brand" href={to.home()}>
          Forge
        </Link>
        <nav aria-label="Main">
          <Link href={to.home()} aria-current={current(to.home())}>
            Projects
          </Link>
          <Link href={to.agents()} aria-current={current(to.agents())}>
            Agents
          </Link>
        </nav>
        <div className="top-end">
          <Live />
          <Link
            className="who"
            href={to.account()}
            aria-current={current(to.account())}
            aria-label={`${nameOf(me)}, your account`}
          >
            {nameOf(me)}
          </Link>
          <Button quiet busy={signOut.isPending} onClick={() => signOut.mutate()}>
            Sign out
          </Button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <FailureNotice failure={signOut.error} />
        {children}
      </main>
    </>
  );
}
