/** More lines than this are folded, all files together, to keep the page quick. */
const MOST_LINES = 2_000;
const MOST_LINES_OF_ONE = 500;

/** Which files are shown folded, by how many lines of each changed: the long ones, and all once there are enough. */
export function foldedFiles(lines: readonly number[]): boolean[] {
  let shown = 0;
  return lines.map((count) => {
    if (count > MOST_LINES_OF_ONE || shown + count > MOST_LINES) {
      return true;
    }
    shown += count;
    return false;
  });
}
