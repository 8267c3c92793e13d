import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';

import { LinkPage } from '../pages/welcome/LinkPage';
import { SignInPage } from '../pages/welcome/SignInPage';
import { UnreachablePage } from '../pages/welcome/UnreachablePage';
import { createAppRouter } from './router';
import { MeProvider, useForgetfulCache, useSession } from './session/session';

/** The sign-in pages, or the pages of the signed-in user. */
export function App({ linkCode }: { linkCode: string | null }) {
  const [pendingCode, setPendingCode] = useState(linkCode);
  // A link is used even when a user is signed in already: it may be another user's.
  if (pendingCode !== null && window.location.pathname === '/welcome') {
    return <LinkPage code={pendingCode} onDone={() => setPendingCode(null)} />;
  }
  return <SessionPages />;
}

function SessionPages() {
  const session = useSession();
  switch (session.state) {
    case 'unknown':
      return null;
    case 'unreachable':
      return <UnreachablePage failure={session.failure} onRetry={session.retry} />;
    case 'signed-out':
      return <SignInPage />;
    case 'signed-in':
      return (
        <MeProvider value={session.me}>
          <SignedInPages />
        </MeProvider>
      );
  }
}

function SignedInPages() {
  const [router] = useState(createAppRouter);
  useForgetfulCache();
  return <RouterProvider router={router} />;
}
