/** The table of the comparison grows with both lengths; a larger one would block the page. */
const MAX_TABLE = 1_000_000;

/** A pair of equal items: its place in the first and in the second list. */
export type CommonItem = readonly [number, number];

/**
 * The longest common subsequence of two lists. Lists whose comparison would take too long are compared only at their
 * beginning and end.
 */
export function commonItems(one: readonly string[], other: readonly string[]): CommonItem[] {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) {
    start += 1;
  }
  let tail = 0;
  while (
    tail < one.length - start &&
    tail < other.length - start &&
    one[one.length - 1 - tail] === other[other.length - 1 - tail]
  ) {
    tail += 1;
  }
  const pairs: CommonItem[] = Array.from({ length: start }, (_, index) => [index, index] as const);
  const middle = longestCommon(one.slice(start, one.length - tail), other.slice(start, other.length - tail));
  pairs.push(...middle.map(([first, second]) => [first + start, second + start] as const));
  for (let index = tail; index > 0; index -= 1) {
    pairs.push([one.length - index, other.length - index]);
  }
  return pairs;
}

function longestCommon(one: readonly string[], other: readonly string[]): CommonItem[] {
  const width = other.length + 1;
  if (one.length === 0 || other.length === 0 || (one.length + 1) * width > MAX_TABLE) {
    return [];
  }
  // Each cell holds the length of the longest common subsequence of what follows in both lists.
  const table = new Uint32Array((one.length + 1) * width);
  const cell = (row: number, column: number) => table[row * width + column] ?? 0;
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      table[row * width + column] =
        one[row] === other[column]
          ? cell(row + 1, column + 1) + 1
          : Math.max(cell(row + 1, column), cell(row, column + 1));
    }
  }
  const pairs: CommonItem[] = [];
  let [row, column] = [0, 0];
  while (row < one.length && column < other.length) {
    if (one[row] === other[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (cell(row + 1, column) >= cell(row, column + 1)) {
      row += 1;
    } else {
      column += 1;
    }
  }
  return pairs;
}
