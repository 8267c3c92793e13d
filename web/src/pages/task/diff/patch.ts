/** One line of a patch as it is shown. */
export interface PatchLine {
  kind: 'hunk' | 'added' | 'removed' | 'same' | 'note';
  text: string;
  oldNumber: number | null;
  newNumber: number | null;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads the hunks of one file's unified diff. What stands before the first hunk is left out: the file's names are
 * known from the answer. Counts in the hunk's head say where it ends, so content that looks like a head is content.
 */
export function patchLines(patch: string): PatchLine[] {
  const lines: PatchLine[] = [];
  let [oldNumber, newNumber, oldLeft, newLeft] = [0, 0, 0, 0];
  for (const line of patch.split('\n')) {
    const text = line.slice(1);
    if (oldLeft > 0 || newLeft > 0) {
      const mark = line.charAt(0);
      if (mark === '+') {
        lines.push({ kind: 'added', text, oldNumber: null, newNumber });
        newNumber += 1;
        newLeft -= 1;
        continue;
      }
      if (mark === '-') {
        lines.push({ kind: 'removed', text, oldNumber, newNumber: null });
        oldNumber += 1;
        oldLeft -= 1;
        continue;
      }
      if (mark !== '\\') {
        lines.push({ kind: 'same', text, oldNumber, newNumber });
        oldNumber += 1;
        newNumber += 1;
        oldLeft -= 1;
        newLeft -= 1;
        continue;
      }
    }
    const head = HUNK.exec(line);
    if (head !== null) {
      oldNumber = Number(head[1]);
      newNumber = Number(head[3]);
      oldLeft = Number(head[2] ?? 1);
      newLeft = Number(head[4] ?? 1);
      lines.push({ kind: 'hunk', text: line, oldNumber: null, newNumber: null });
    } else if (line.startsWith('\\')) {
      lines.push({ kind: 'note', text: text.trim(), oldNumber: null, newNumber: null });
    }
  }
  return lines;
}
