import type { AgentExecutor } from '../../api/types';

export type AgentKind = AgentExecutor['kind'];
export type AgentPolicy = NonNullable<AgentExecutor['policy']>;

interface AgentKindLook {
  label: string;
  /** Signs the program in, in a terminal on the server; absent where each command has its own way. */
  login?: string;
  /** It has no program of its own, so the command must be given. */
  needsCommand?: true;
  /** What the program can be told about permissions. */
  policies: readonly AgentPolicy[];
  hasModel: boolean;
}

const ALL_POLICIES = ['plan', 'edit', 'full'] as const;

/** What the form asks for each kind of agent, in the order in which they are offered. */
export const AGENT_KINDS: Readonly<Record<AgentKind, AgentKindLook>> = {
  claude: { label: 'Claude Code', login: 'claude auth login', policies: ALL_POLICIES, hasModel: true },
  codex: { label: 'Codex', login: 'codex login', policies: ALL_POLICIES, hasModel: true },
  gemini: { label: 'Gemini CLI', login: 'gemini', policies: ALL_POLICIES, hasModel: true },
  opencode: { label: 'opencode', login: 'opencode auth login', policies: ALL_POLICIES, hasModel: true },
  cursor: { label: 'Cursor', login: 'agent login', policies: ALL_POLICIES, hasModel: true },
  copilot: { label: 'GitHub Copilot', login: 'copilot login', policies: ALL_POLICIES, hasModel: true },
  goose: { label: 'goose', login: 'goose configure', policies: ['plan', 'full'], hasModel: true },
  qwen: { label: 'Qwen Code', login: 'qwen', policies: ALL_POLICIES, hasModel: true },
  amp: { label: 'Amp', login: 'amp login', policies: ['full'], hasModel: false },
  droid: { label: 'droid', login: 'droid', policies: ALL_POLICIES, hasModel: true },
  acp: { label: 'Agent Client Protocol', needsCommand: true, policies: ALL_POLICIES, hasModel: false },
  shell: { label: 'Any command', needsCommand: true, policies: [], hasModel: false },
};

export const POLICY_WORDS: Readonly<Record<AgentPolicy, string>> = {
  plan: 'Read only',
  edit: 'Change files',
  full: 'Change files and run commands',
};

/** The kinds in the order in which they are offered. */
export const KIND_NAMES = Object.keys(AGENT_KINDS) as readonly AgentKind[];
