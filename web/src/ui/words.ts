/** A name of the wire as people read it: `merge_failed` → `Merge failed`. */
export function humanize(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Seven digits of a commit. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}

/** The entries of a list as people write it: separated by commas, blanks around them do not count. */
export function commaList(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return [...new Set(entries.filter((entry) => entry !== ''))];
}

/** The lines that say something. */
export function fullLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A count with its noun: `1 file`, `3 files`. */
export function plural(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
}
