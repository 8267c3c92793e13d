import { commonItems } from '../../../diff/commonItems';
import { plainText } from '../../../ui/terminalText';
import { plural } from '../../../ui/words';
import type { ToolEntry } from './logEntries';

export type ToolKind = 'edit' | 'read' | 'run' | 'search' | 'web' | 'other';

/** How a tool call is told in one line. */
export interface ToolLine {
  kind: ToolKind;
  verb: string;
  /** The argument that says most: a command, a path or a pattern. */
  argument: string;
  result: ToolResult;
}

export type ToolResult =
  | { kind: 'running' }
  | { kind: 'diffstat'; added: number; removed: number }
  | { kind: 'words'; text: string; tone: 'plain' | 'good' | 'bad' };

/** A text that an edit replaced, and by what. */
export interface ToolEdit {
  before: string;
  after: string;
}

const KINDS: readonly (readonly [RegExp, ToolKind, string | null])[] = [
  [/todo|plan|task/i, 'other', null],
  [/^write|create.?file/i, 'edit', 'Write'],
  [/edit|patch|replace|file.?change/i, 'edit', 'Edit'],
  [/web|fetch|url|http/i, 'web', null],
  [/bash|shell|exec|^run|command|terminal/i, 'run', 'Run'],
  [/grep|glob|search|find/i, 'search', 'Search'],
  [/read|view|^cat$/i, 'read', 'Read'],
];

const MAIN_ARGUMENTS: Readonly<Record<ToolKind, readonly string[]>> = {
  edit: ['file_path', 'path', 'filePath', 'filename'],
  read: ['file_path', 'path', 'filePath', 'filename'],
  run: ['command', 'cmd', 'script'],
  search: ['pattern', 'query', 'glob', 'path'],
  web: ['url', 'query'],
  other: ['description', 'command', 'file_path', 'path', 'query', 'prompt'],
};

/** Tells a call in one line. Paths below the workspace are shown from there. */
export function toolLine(call: ToolEntry, workspace: string | undefined): ToolLine {
  const [, kind, verb] = KINDS.find(([pattern]) => pattern.test(call.name)) ?? [null, 'other' as const, null];
  return {
    kind,
    verb: verb ?? call.name,
    argument: withoutFolder(mainArgument(kind, call.input), workspace),
    result: resultOf(kind, call),
  };
}

function mainArgument(kind: ToolKind, input: ToolEntry['input']): string {
  for (const name of MAIN_ARGUMENTS[kind]) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') {
      return value.split('\n')[0] ?? '';
    }
    if (Array.isArray(value) && value.length > 0) {
      return value.join(' ');
    }
  }
  return '';
}

function withoutFolder(text: string, workspace: string | undefined): string {
  return workspace === undefined || workspace === '' ? text : text.replaceAll(`${workspace}/`, '');
}

function resultOf(kind: ToolKind, call: ToolEntry): ToolResult {
  if (call.output === null) {
    return { kind: 'running' };
  }
  const output = plainText(call.output);
  if (call.hasFailed) {
    const code = /\bexit(?:ed)?(?: with)?(?: code| status)?:? (\d{1,3})\b/i.exec(output)?.[1];
    return { kind: 'words', text: code === undefined ? 'failed' : `exit ${code}`, tone: 'bad' };
  }
  const edits = editsOf(call);
  if (edits.length > 0) {
    const counts = edits.map(countLines);
    return {
      kind: 'diffstat',
      added: counts.reduce((sum, { added }) => sum + added, 0),
      removed: counts.reduce((sum, { removed }) => sum + removed, 0),
    };
  }
  const plain = (text: string): ToolResult => ({ kind: 'words', text, tone: 'plain' });
  const lines = output.split('\n').filter((line) => line.trim() !== '').length;
  if (kind === 'run') {
    const passed = /\b(\d+) passed\b/.exec(output)?.[1];
    return passed === undefined
      ? plain(lines === 0 ? 'no output' : plural(lines, 'line'))
      : { kind: 'words', text: `${passed} passed`, tone: 'good' };
  }
  if (kind === 'search') {
    return plain(searchWords(output, lines));
  }
  return plain(kind === 'read' ? plural(lines, 'line') : 'finished');
}

/** Matches are usually listed as `path:line`. */
function searchWords(output: string, lines: number): string {
  const paths = new Set(Array.from(output.matchAll(/^([^\s:]+):\d+/gm), ([, path]) => path));
  return paths.size === 0
    ? plural(lines, 'line')
    : `${plural(paths.size, 'file')}, ${plural(lines, 'match', 'matches')}`;
}

/** What a call replaced in a file; empty if it does not say so. */
export function editsOf({ input }: ToolEntry): ToolEdit[] {
  const { edits } = input;
  const list = Array.isArray(edits) ? (edits as unknown[]) : [input];
  return list.flatMap((one) => {
    const { old_string, new_string, oldText, newText, content } = (one ?? {}) as Record<string, unknown>;
    const [before, after] = [old_string ?? oldText ?? '', new_string ?? newText ?? content];
    return typeof before === 'string' && typeof after === 'string' ? [{ before, after }] : [];
  });
}

export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function countLines({ before, after }: ToolEdit): { added: number; removed: number } {
  const [old, next] = [linesOf(before), linesOf(after)];
  const common = commonItems(old, next).length;
  return { added: next.length - common, removed: old.length - common };
}
