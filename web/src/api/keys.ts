/**
 * Names of what is cached. The kind comes first, so that one prefix means "all of this kind", which is what an event
 * without a task or project makes stale.
 */
export const keys = {
  me: () => ['me'] as const,
  tokens: () => ['tokens'] as const,
  dispatch: () => ['dispatch'] as const,
  workspaces: () => ['workspaces'] as const,
  users: () => ['users'] as const,
  agents: () => ['agents'] as const,
  agent: (id: string) => ['agent', id] as const,
  /** What every agent does now. */
  agentsCheck: () => ['agents-check'] as const,
  projects: () => ['projects'] as const,
  repos: (project?: string) => scoped('repos', project),
  members: (project?: string) => scoped('members', project),
  remote: (project?: string) => scoped('remote', project),
  counts: (project?: string) => scoped('counts', project),
  workflow: (project?: string) => scoped('workflow', project),
  /** The lists of a project's tasks, one per phase and filter. */
  tasks: (project?: string) => scoped('tasks', project),
  /** The first tasks of each phase, for lists over all projects. */
  firstTasks: (project?: string) => scoped('first-tasks', project),
  waiting: (project?: string) => scoped('waiting', project),
  /** What needs a person, over all projects. */
  needsPerson: () => ['needs-person'] as const,
  conflicts: (project?: string) => scoped('conflicts', project),
  train: (project?: string) => scoped('train', project),
  task: (id?: string) => scoped('task', id),
  taskByNumber: (project: string, number: string) => ['task-number', project, number] as const,
  why: (task?: string) => scoped('why', task),
  actions: (task?: string) => scoped('actions', task),
  transitions: (task?: string) => scoped('transitions', task),
  effects: (task?: string) => scoped('effects', task),
  reviews: (task?: string) => scoped('reviews', task),
  executions: (task?: string) => scoped('executions', task),
  usage: (task?: string) => scoped('usage', task),
  workspace: (task?: string) => scoped('workspace', task),
  diff: (task?: string) => scoped('diff', task),
  journal: (task?: string) => scoped('journal', task),
  prompt: (task?: string) => scoped('prompt', task),
  dependencies: (task?: string) => scoped('dependencies', task),
  subtasks: (task?: string) => scoped('subtasks', task),
  comments: (task?: string) => scoped('comments', task),
} as const;

export type Key = readonly string[];

function scoped(kind: string, id: string | undefined): Key {
  return id === undefined ? [kind] : [kind, id];
}
