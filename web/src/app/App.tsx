import type { ReactNode } from 'react';

import type { Me } from '../api/types';
import { AccountPage } from '../rooms/account/AccountPage';
import { AgentsPage } from '../rooms/agents/AgentsPage';
import { BoardPage } from '../rooms/board/BoardPage';
import { ConflictsPage } from '../rooms/conflicts/ConflictsPage';
import { TrainPage } from '../rooms/train/TrainPage';
import { TaskPage } from '../rooms/task/TaskPage';
import { HomePage } from '../rooms/welcome/HomePage';
import { LinkPage } from '../rooms/welcome/LinkPage';
import { SignInPage } from '../rooms/welcome/SignInPage';
import { Button } from '../ui/Button';
import { Empty } from '../ui/Empty';
import { Loading } from '../ui/Loading';
import { FailureNotice } from '../ui/Notice';
import { Layout } from './Layout';
import { Link, usePath } from './router';
import { type Route, routeOf, to } from './routes';
import { useSession } from './session';

/** The page for where the person is. */
export function App({ linkCode }: { linkCode: string | null }) {
  const path = usePath();
  const route = routeOf(path);
  // A link is used even when somebody is signed in already: it may be somebody else's.
  if (route.page === 'welcome' && linkCode !== null) {
    return <LinkPage code={linkCode} />;
  }
  return <Inside path={path} route={route} />;
}

/** The page for who is signed in. */
function Inside({ path, route }: { path: string; route: Route }) {
  const session = useSession();
  switch (session.state) {
    case 'unknown':
      return <Loading what="Forge" />;
    case 'unreachable':
      return (
        <main className="gate">
          <FailureNotice failure={session.failure} />
          <Button onClick={session.retry}>Try again</Button>
        </main>
      );
    case 'nobody':
      return <SignInPage />;
    case 'somebody':
      return (
        <Layout me={session.me} path={path}>
          {pageOf(route, session.me)}
        </Layout>
      );
  }
}

function pageOf(route: Route, me: Me): ReactNode {
  switch (route.page) {
    case 'home':
    case 'welcome':
      return <HomePage />;
    case 'board':
      return <BoardPage key={route.project} id={route.project} />;
    case 'conflicts':
      return <ConflictsPage key={route.project} id={route.project} />;
    case 'train':
      return <TrainPage key={route.project} id={route.project} />;
    case 'task':
      return <TaskPage key={route.task} id={route.task} />;
    case 'agents':
      return <AgentsPage />;
    case 'account':
      return <AccountPage me={me} />;
    case 'nowhere':
      return (
        <Empty title="There is no such page">
          <Link href={to.home()}>Go to the projects</Link>
        </Empty>
      );
  }
}
