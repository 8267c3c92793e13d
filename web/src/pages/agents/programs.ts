import type { Agent, AgentProbe, AgentProgram } from '../../api/types';

export const LOGIN_WORDS: Readonly<Record<NonNullable<AgentProbe['login']>, string>> = {
  signed_in: 'Signed in',
  api_key: 'By API key',
  signed_out: 'Not signed in',
  unknown: 'The program does not say',
};

/** The programs that are installed and that no agent runs yet, those that are signed in first. */
export function unusedPrograms(programs: readonly AgentProgram[], agents: readonly Agent[]): AgentProgram[] {
  const used = new Set(agents.map(({ executor }) => executor.kind));
  const isOut = ({ login }: AgentProgram) => (login === 'signed_out' ? 1 : 0);
  return programs
    .filter(({ kind, path }) => path !== null && !used.has(kind))
    .toSorted((one, other) => isOut(one) - isOut(other));
}

/** A program's version and login in one line. */
export function programWords({ path, version, login }: AgentProgram): string {
  if (path === null) {
    return 'Not installed';
  }
  // Programs print their name and build as well; the number is what tells.
  const number = /\d+(\.\d+)+/.exec(version ?? '')?.[0] ?? version;
  const words = login === null || login === 'unknown' ? null : LOGIN_WORDS[login].toLowerCase();
  return [number, words].filter((part) => part !== null).join(', ') || 'Installed';
}

/** A name that no agent has: `claude-1`, `claude-2`. */
export function freeName(kind: string, agents: readonly Pick<Agent, 'name'>[]): string {
  const names = new Set(agents.map(({ name }) => name));
  let number = 1;
  while (names.has(`${kind}-${number}`)) {
    number += 1;
  }
  return `${kind}-${number}`;
}
