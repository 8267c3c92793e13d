import { fullLines } from './words';

/** Environment variables, one `NAME=value` per line. */
export function variableLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

/** The variables that the lines mean; null if a line is none. */
export function readVariables(text: string): Record<string, string> | null {
  const pairs = fullLines(text).map((line) => /^([A-Za-z_]\w*)=(.*)$/.exec(line));
  return pairs.some((pair) => pair === null)
    ? null
    : Object.fromEntries(pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? '', pair[2] ?? '']])));
}
