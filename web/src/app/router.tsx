import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import type { DiffScope, JournalAgainst } from '../api/types';
import { InboxPage } from '../pages/inbox/InboxPage';
import { readSection, type SettingSection } from '../pages/settings/sections';
import { AppLayout } from './layout/AppLayout';
import { ProjectRoute } from './layout/ProjectRoute';
import { NotFoundPage } from './NotFoundPage';
import { RouteError } from './RouteError';
import { type BoardSearch, readBoardSearch } from './search';

/** Which entry of a journal is shown, and with what it is compared. */
interface JournalSearch {
  entry?: number;
  against?: JournalAgainst;
}

const rootRoute = createRootRoute({ component: AppLayout, notFoundComponent: NotFoundPage });

const inboxRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: InboxPage });

/** The address of a one-time link after its code was used. */
const welcomeRoute = createRoute({ getParentRoute: () => rootRoute, path: '/welcome', component: InboxPage });

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: lazyRouteComponent(() => import('../pages/welcome/SetupPage'), 'SetupPage'),
});

const agentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents',
  validateSearch: (search: { agent?: unknown } & SearchSchemaInput): { agent?: string } =>
    typeof search.agent === 'string' ? { agent: search.agent } : {},
  component: lazyRouteComponent(() => import('../pages/agents/AgentsPage'), 'AgentsPage'),
});

const serverRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/server',
  component: lazyRouteComponent(() => import('../pages/server/ServerPage'), 'ServerPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  validateSearch: (search: { without?: unknown } & SearchSchemaInput): { without?: 'password' } =>
    search.without === 'password' ? { without: 'password' } : {},
  component: lazyRouteComponent(() => import('../pages/account/AccountPage'), 'AccountPage'),
});

const designRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/design',
  component: lazyRouteComponent(() => import('../pages/design/DesignPage'), 'DesignPage'),
});

/** Addresses of tasks before they had keys, as older notes hold them. */
const taskByIdRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tasks/$id',
  component: lazyRouteComponent(() => import('../pages/task/TaskByIdPage'), 'TaskByIdPage'),
});

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$project',
  component: ProjectRoute,
});

const boardRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  validateSearch: (search: Partial<Record<keyof BoardSearch, unknown>> & SearchSchemaInput) => readBoardSearch(search),
  component: lazyRouteComponent(() => import('../pages/board/BoardPage'), 'BoardPage'),
});

const trainRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/train',
  component: lazyRouteComponent(() => import('../pages/train/TrainPage'), 'TrainPage'),
});

const conflictsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/conflicts',
  component: lazyRouteComponent(() => import('../pages/conflicts/ConflictsPage'), 'ConflictsPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/settings',
  validateSearch: (search: { section?: unknown } & SearchSchemaInput): { section?: SettingSection } => {
    const section = readSection(search.section);
    return section === undefined ? {} : { section };
  },
  component: lazyRouteComponent(() => import('../pages/settings/SettingsPage'), 'SettingsPage'),
});

const taskRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/$taskKey',
  component: lazyRouteComponent(() => import('../pages/task/TaskPage'), 'TaskPage'),
});

const conversationRoute = createRoute({
  getParentRoute: () => taskRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/task/conversation/ConversationTab'), 'ConversationTab'),
});

const diffRoute = createRoute({
  getParentRoute: () => taskRoute,
  path: '/diff',
  validateSearch: (search: { scope?: unknown } & SearchSchemaInput): { scope?: DiffScope } =>
    search.scope === 'branch' || search.scope === 'uncommitted' ? { scope: search.scope } : {},
  component: lazyRouteComponent(() => import('../pages/task/diff/DiffTab'), 'DiffTab'),
});

const checksRoute = createRoute({
  getParentRoute: () => taskRoute,
  path: '/checks',
  validateSearch: (search: { attempt?: unknown } & SearchSchemaInput): { attempt?: number } =>
    typeof search.attempt === 'number' ? { attempt: search.attempt } : {},
  component: lazyRouteComponent(() => import('../pages/task/checks/ChecksTab'), 'ChecksTab'),
});

const journalRoute = createRoute({
  getParentRoute: () => taskRoute,
  path: '/journal',
  validateSearch: (search: Partial<Record<keyof JournalSearch, unknown>> & SearchSchemaInput): JournalSearch => ({
    ...(typeof search.entry === 'number' ? { entry: search.entry } : {}),
    ...(search.against === 'base' || search.against === 'files' ? { against: search.against } : {}),
  }),
  component: lazyRouteComponent(() => import('../pages/task/journal/JournalTab'), 'JournalTab'),
});

const historyRoute = createRoute({
  getParentRoute: () => taskRoute,
  path: '/history',
  component: lazyRouteComponent(() => import('../pages/task/history/HistoryTab'), 'HistoryTab'),
});

const promptRoute = createRoute({
  getParentRoute: () => taskRoute,
  path: '/prompt',
  component: lazyRouteComponent(() => import('../pages/task/prompt/PromptTab'), 'PromptTab'),
});

const factsRoute = createRoute({
  getParentRoute: () => taskRoute,
  path: '/facts',
  component: lazyRouteComponent(() => import('../pages/task/FactsTab'), 'FactsTab'),
});

const routeTree = rootRoute.addChildren([
  inboxRoute,
  welcomeRoute,
  setupRoute,
  agentsRoute,
  serverRoute,
  accountRoute,
  designRoute,
  taskByIdRoute,
  projectRoute.addChildren([
    boardRoute,
    trainRoute,
    conflictsRoute,
    settingsRoute,
    taskRoute.addChildren([
      conversationRoute,
      diffRoute,
      checksRoute,
      journalRoute,
      historyRoute,
      promptRoute,
      factsRoute,
    ]),
  ]),
]);

export function createAppRouter() {
  return createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFoundPage,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
