export type CommandLine = { problem: string } | { problem: null; argv: string[] };

/**
 * Splits a command as a shell would split words: quotes keep blanks together, a backslash takes the next character
 * as it is. Nothing else has a meaning, because no shell runs it.
 */
export function splitCommand(text: string): CommandLine {
  const argv: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  let escaped = false;
  for (const character of text) {
    if (escaped) {
      word = (word ?? '') + character;
      escaped = false;
    } else if (character === '\\' && quote !== "'") {
      escaped = true;
      word ??= '';
    } else if (quote !== null) {
      if (character === quote) {
        quote = null;
      } else {
        word = (word ?? '') + character;
      }
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== null) {
        argv.push(word);
        word = null;
      }
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== null) {
    return { problem: `A ${quote} is opened and not closed.` };
  }
  if (escaped) {
    return { problem: 'The command ends with a backslash that escapes nothing.' };
  }
  if (word !== null) {
    argv.push(word);
  }
  return argv[0] === undefined || argv[0] === ''
    ? { problem: 'Write the program and its arguments.' }
    : { problem: null, argv };
}

/** The command as it is written on a command line. */
export function joinCommand(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
