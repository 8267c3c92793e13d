/**
 * The latest first. The server's order is kept and at most turned round: several things can happen within the same
 * millisecond, and only the server knows which came first.
 */
export function latestFirst<T extends { at: string }>(list: readonly T[]): readonly T[] {
  const [first, last] = [list[0], list.at(-1)];
  return first !== undefined && last !== undefined && first.at <= last.at ? list.toReversed() : list;
}
