/** One line of a file in a diff. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
  oldNumber: number | null;
  newNumber: number | null;
  /** The file ends here without a line break. */
  isUnterminated?: boolean;
}

/** Consecutive lines of a file. */
export interface DiffHunk {
  /** The function or heading that git names after the range. */
  heading: string;
  oldStart: number;
  newStart: number;
  lines: readonly DiffLine[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/**
 * Reads the hunks of one file's unified diff. Lines before the first hunk are left out: the answer names the file.
 * The counts of a hunk say where it ends, so that content that looks like a heading stays content.
 */
export function patchHunks(patch: string): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let lines: DiffLine[] = [];
  let [oldNumber, newNumber, oldLeft, newLeft] = [0, 0, 0, 0];
  for (const line of patch.split('\n')) {
    const text = line.slice(1);
    const mark = line.charAt(0);
    if (mark === '\\' && lines.length > 0) {
      lines[lines.length - 1] = { ...(lines.at(-1) as DiffLine), isUnterminated: true };
    } else if (oldLeft > 0 || newLeft > 0) {
      const kind = mark === '+' ? 'added' : mark === '-' ? 'removed' : 'same';
      const isOld = kind !== 'added';
      const isNew = kind !== 'removed';
      lines.push({ kind, text, oldNumber: isOld ? oldNumber : null, newNumber: isNew ? newNumber : null });
      oldNumber += isOld ? 1 : 0;
      oldLeft -= isOld ? 1 : 0;
      newNumber += isNew ? 1 : 0;
      newLeft -= isNew ? 1 : 0;
    } else {
      const heading = HUNK.exec(line);
      if (heading !== null) {
        oldNumber = Number(heading[1]);
        newNumber = Number(heading[3]);
        oldLeft = Number(heading[2] ?? 1);
        newLeft = Number(heading[4] ?? 1);
        lines = [];
        hunks.push({ heading: heading[5] ?? '', oldStart: oldNumber, newStart: newNumber, lines });
      }
    }
  }
  return hunks;
}
