/** Every page there is; what a page needs to know is in its address. */
export type Route =
  | { page: 'home' }
  | { page: 'welcome' }
  | { page: 'board'; project: string }
  | { page: 'conflicts'; project: string }
  | { page: 'train'; project: string }
  | { page: 'task'; task: string }
  | { page: 'agents' }
  | { page: 'account' }
  | { page: 'nowhere' };

/** The page an address names. */
export function routeOf(path: string): Route {
  const [first, id, ...rest] = path.split('/').filter((part) => part !== '');
  if (first === undefined) {
    return { page: 'home' };
  }
  if (id === undefined) {
    return first === 'welcome' || first === 'agents' || first === 'account' ? { page: first } : { page: 'nowhere' };
  }
  if (first === 'projects' && rest.length === 1 && (rest[0] === 'conflicts' || rest[0] === 'train')) {
    return { page: rest[0], project: id };
  }
  if (rest.length > 0) {
    return { page: 'nowhere' };
  }
  return first === 'projects'
    ? { page: 'board', project: id }
    : first === 'tasks'
      ? { page: 'task', task: id }
      : { page: 'nowhere' };
}

/** The addresses, for links. */
export const to = {
  home: () => '/',
  board: (project: string) => `/projects/${encodeURIComponent(project)}`,
  conflicts: (project: string) => `/projects/${encodeURIComponent(project)}/conflicts`,
  train: (project: string) => `/projects/${encodeURIComponent(project)}/train`,
  task: (task: string) => `/tasks/${encodeURIComponent(task)}`,
  agents: () => '/agents',
  account: () => '/account',
  /** The account of somebody who chose no password and so needs a token. */
  accountWithoutPassword: () => '/account?without=password',
} as const;
