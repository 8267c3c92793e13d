import { answer, client } from './client';
import { Failure } from './failure';
import type {
  Action,
  Agent,
  AgentPatch,
  Budget,
  NewAgent,
  NewTask,
  NewToken,
  Project,
  ProjectSettings,
  Repo,
  Task,
  TaskPatch,
  UseLink,
  UserRole,
  WorkflowChoice,
} from './types';

/** What the page can ask the server to do. */
export const commands = {
  useLink: (link: UseLink) => answer(client.POST('/api/v1/auth/link', { body: link })),

  login: (name: string, password: string) => answer(client.POST('/api/v1/auth/login', { body: { name, password } })),

  logout: () => answer(client.POST('/api/v1/auth/logout')),

  createToken: (token: NewToken) => answer(client.POST('/api/v1/tokens', { body: token })),

  revokeToken: (id: string) => answer(client.DELETE('/api/v1/tokens/{id}', { params: { path: { id } } })),

  startDemo: () => answer(client.POST('/api/v1/demo')),

  /** Both the project and its repository, or neither. */
  createProject: (name: string, path: string) =>
    answer(client.POST('/api/v1/projects', { body: { name, repo_path: path } })),

  renameProject: ({ id, version }: Project, name: string) =>
    answer(client.PATCH('/api/v1/projects/{id}', { params: { path: { id } }, body: { version, name } })),

  changeProjectSettings: ({ id, version, settings }: Project, changed: Partial<ProjectSettings>) =>
    answer(
      client.PATCH('/api/v1/projects/{id}', {
        params: { path: { id } },
        body: { version, settings: { ...settings, ...changed } },
      }),
    ),

  /** Every open task moves into the new workflow, or none. */
  replaceWorkflow: ({ id, version }: Project, workflow: WorkflowChoice, mapping: Record<string, string>) =>
    answer(
      client.PUT('/api/v1/projects/{id}/workflow', {
        params: { path: { id } },
        body: { version, workflow, mapping },
      }),
    ),

  addMember: (project: string, user: string) =>
    answer(
      client.POST('/api/v1/projects/{id}/members', { params: { path: { id: project } }, body: { user_id: user } }),
    ),

  removeMember: (project: string, user: string) =>
    answer(
      client.DELETE('/api/v1/projects/{id}/members/{user_id}', { params: { path: { id: project, user_id: user } } }),
    ),

  setRepoPush: ({ project_id, id }: Repo, push: boolean) =>
    answer(
      client.PATCH('/api/v1/projects/{id}/repos/{repo}/remote', {
        params: { path: { id: project_id, repo: id } },
        body: { push },
      }),
    ),

  setRepoToken: ({ project_id, id }: Repo, token: string) =>
    answer(
      client.PUT('/api/v1/projects/{id}/repos/{repo}/credential', {
        params: { path: { id: project_id, repo: id } },
        body: { token },
      }),
    ),

  removeRepoToken: ({ project_id, id }: Repo) =>
    answer(
      client.DELETE('/api/v1/projects/{id}/repos/{repo}/credential', {
        params: { path: { id: project_id, repo: id } },
      }),
    ),

  acceptRepoConfig: ({ project_id, id }: Repo) =>
    answer(
      client.POST('/api/v1/projects/{id}/repos/{repo}/config/accept', {
        params: { path: { id: project_id, repo: id } },
      }),
    ),

  addRepo: (project: string, path: string) =>
    answer(client.POST('/api/v1/projects/{id}/repos', { params: { path: { id: project } }, body: { path } })),

  removeRepo: (project: string, repo: string) =>
    answer(client.DELETE('/api/v1/projects/{id}/repos/{repo}', { params: { path: { id: project, repo } } })),

  pauseProject: (id: string) => answer(client.POST('/api/v1/projects/{id}/pause', { params: { path: { id } } })),

  resumeProject: (id: string) => answer(client.POST('/api/v1/projects/{id}/resume', { params: { path: { id } } })),

  createTask: (project: string, task: NewTask) =>
    answer(client.POST('/api/v1/projects/{id}/tasks', { params: { path: { id: project } }, body: task })),

  changeTaskBudget: ({ id, version }: Task, budget: Budget | null) =>
    answer(client.PATCH('/api/v1/tasks/{id}', { params: { path: { id } }, body: { version, budget } })),

  createAgent: (agent: NewAgent) => answer(client.POST('/api/v1/agents', { body: agent })),

  changeAgent: ({ id, version }: Agent, patch: Omit<AgentPatch, 'version'>) =>
    answer(client.PATCH('/api/v1/agents/{id}', { params: { path: { id } }, body: { ...patch, version } })),

  probeAgent: (id: string) => answer(client.POST('/api/v1/agents/{id}/probe', { params: { path: { id } } })),

  pauseAgent: (id: string) => answer(client.POST('/api/v1/agents/{id}/pause', { params: { path: { id } } })),

  resumeAgent: (id: string) => answer(client.POST('/api/v1/agents/{id}/resume', { params: { path: { id } } })),

  comment: (task: string, body: string, parent: string | null) =>
    answer(
      client.POST('/api/v1/tasks/{id}/comments', {
        params: { path: { id: task } },
        body: { body, parent_id: parent },
      }),
    ),

  editTask: ({ id }: Pick<Task, 'id'>, patch: TaskPatch) =>
    answer(client.PATCH('/api/v1/tasks/{id}', { params: { path: { id } }, body: patch })),

  /** Moves a task. A check or a landing that this begins is followed by events. */
  moveTask: (id: string, status: string, version: number) =>
    answer(
      client.POST('/api/v1/tasks/{id}/transition', {
        params: { path: { id } },
        headers: { prefer: 'respond-async' },
        body: { status, version },
      }),
    ),

  claimTask: (id: string, agent: string | null) =>
    answer(client.POST('/api/v1/tasks/{id}/claim', { params: { path: { id } }, body: { agent_id: agent } })),

  restoreJournal: (task: string, number: number) =>
    answer(
      client.POST('/api/v1/tasks/{id}/journal/{number}/restore', { params: { path: { id: task, number } }, body: {} }),
    ),

  forkJournal: (task: string, number: number) =>
    answer(
      client.POST('/api/v1/tasks/{id}/journal/{number}/fork', { params: { path: { id: task, number } }, body: {} }),
    ),

  steer: (execution: string, message: string) =>
    answer(client.POST('/api/v1/executions/{id}/steer', { params: { path: { id: execution } }, body: { message } })),

  followUp: (execution: string, message: string) =>
    answer(
      client.POST('/api/v1/executions/{id}/follow-up', { params: { path: { id: execution } }, body: { message } }),
    ),

  /** Failures of the check do not count for so long; 0 ends it. */
  ignoreFailures: (project: string, command: string, seconds: number) =>
    answer(
      client.POST('/api/v1/projects/{id}/checks/quarantine', {
        params: { path: { id: project } },
        body: { command, seconds },
      }),
    ),

  pauseTrain: (id: string) => answer(client.POST('/api/v1/projects/{id}/train/pause', { params: { path: { id } } })),

  resumeTrain: (id: string) => answer(client.POST('/api/v1/projects/{id}/train/resume', { params: { path: { id } } })),

  pauseDispatch: () => answer(client.POST('/api/v1/system/dispatch/pause')),

  resumeDispatch: () => answer(client.POST('/api/v1/system/dispatch/resume')),

  createUser: (name: string, password: string, role: UserRole) =>
    answer(client.POST('/api/v1/users', { body: { name, password, role } })),

  /** Removes the workspaces of ended tasks. */
  cleanWorkspaces: () => answer(client.POST('/api/v1/workspaces/clean', { body: {} })),

  changePassword: (new_password: string, old_password: string | null) =>
    answer(client.PUT('/api/v1/me/password', { body: { new_password, old_password } })),

  act,
} as const;

/** Does what the server listed as possible (T-11): method, path and fields are the server's own. */
async function act(action: Action, body: Readonly<Record<string, unknown>>): Promise<void> {
  const request = {
    method: action.method,
    credentials: 'same-origin',
    headers: {
      'content-type': 'application/json',
      // The page follows by events what a check or a landing does; it need not wait for their end.
      prefer: 'respond-async',
    },
    body: JSON.stringify(body),
  } as const;
  const response = await fetch(action.path, request).catch(() => {
    throw Failure.fromUnreachable();
  });
  if (!response.ok) {
    throw Failure.fromAnswer(response.status, await response.json().catch(() => null));
  }
}
