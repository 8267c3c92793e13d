/**
 * Names of what is cached. The kind comes first, so that one prefix means "all of this kind", which is what an event
 * without a task or project makes stale.
 */
export const keys = {
  me: () => ['me'] as const,
  tokens: () => ['tokens'] as const,
  agents: () => ['agents'] as const,
  projects: () => ['projects'] as const,
  project: (id?: string) => scoped('project', id),
  repos: (project?: string) => scoped('repos', project),
  workflow: (project?: string) => scoped('workflow', project),
  tasks: (project?: string) => scoped('tasks', project),
  waiting: (project?: string) => scoped('waiting', project),
  conflicts: (project?: string) => scoped('conflicts', project),
  train: (project?: string) => scoped('train', project),
  task: (id?: string) => scoped('task', id),
  why: (task?: string) => scoped('why', task),
  actions: (task?: string) => scoped('actions', task),
  transitions: (task?: string) => scoped('transitions', task),
  steps: (task?: string) => scoped('steps', task),
  reviews: (task?: string) => scoped('reviews', task),
  executions: (task?: string) => scoped('executions', task),
  workspace: (task?: string) => scoped('workspace', task),
  diff: (task?: string) => scoped('diff', task),
  dependencies: (task?: string) => scoped('dependencies', task),
  subtasks: (task?: string) => scoped('subtasks', task),
  comments: (task?: string) => scoped('comments', task),
} as const;

export type Key = readonly string[];

function scoped(kind: string, id: string | undefined): Key {
  return id === undefined ? [kind] : [kind, id];
}
