/** The two letters of each agent program that people know it by. */
const PROGRAMS: Readonly<Record<string, string>> = {
  claude: 'cl',
  codex: 'cx',
  gemini: 'gm',
  opencode: 'oc',
  cursor: 'cu',
  copilot: 'cp',
  goose: 'go',
  qwen: 'qw',
  amp: 'am',
  droid: 'dr',
  acp: 'ac',
  shell: 'sh',
};

/** Two letters for an avatar: those of the program, else of the name. */
export function initials(name: string, program?: string): string {
  const known = program === undefined ? undefined : PROGRAMS[program];
  if (known !== undefined) {
    return known;
  }
  const letters = [...name.replaceAll(/[^\p{L}\p{N}]/gu, '')];
  return letters.slice(0, 2).join('') || '?';
}
