import {
  ChevronRight,
  FilePen,
  FileText,
  Globe,
  LoaderCircle,
  type LucideIcon,
  Search,
  SquareTerminal,
  Wrench,
} from 'lucide-react';

import { EditLines } from '../../../diff/EditLines';
import { classNames } from '../../../ui/classNames';
import { Diffstat } from '../../../ui/Diffstat';
import { Icon } from '../../../ui/Icon';
import { TerminalOutput } from '../../../ui/TerminalOutput';
import type { BoxPlace } from './conversationRows';
import type { ToolEntry } from './logEntries';
import styles from './ToolCall.module.css';
import { editsOf, linesOf, type ToolKind, type ToolResult, toolLine } from './toolWords';

const ICONS: Readonly<Record<ToolKind, LucideIcon>> = {
  edit: FilePen,
  read: FileText,
  run: SquareTerminal,
  search: Search,
  web: Globe,
  other: Wrench,
};

interface ToolCallProps {
  call: ToolEntry;
  place: BoxPlace;
  /** The directory of the workspace, which names of files leave out. */
  workspace: string | undefined;
  isOpen: boolean;
  onToggle: () => void;
}

/** A call of a tool in one line; opened, what it changed or printed. */
export function ToolCall({ call, place, workspace, isOpen, onToggle }: ToolCallProps) {
  const { kind, verb, argument, result } = toolLine(call, workspace);
  return (
    <div className={classNames(styles.call, styles[place])}>
      <button type="button" className={styles.line} aria-expanded={isOpen} onClick={onToggle}>
        <Icon icon={ChevronRight} size={14} className={classNames(styles.fold, isOpen && styles.turned)} />
        <Icon icon={ICONS[kind]} size={16} className={styles.icon} />
        <span className={styles.verb}>{verb}</span>
        <code className={styles.argument}>{argument}</code>
        <Result result={result} />
      </button>
      {isOpen ? (
        <div className={styles.body}>
          <Body call={call} path={argument} />
        </div>
      ) : null}
    </div>
  );
}

function Result({ result }: { result: ToolResult }) {
  switch (result.kind) {
    case 'running':
      return (
        <span className={styles.result}>
          <Icon icon={LoaderCircle} size={14} turning className={styles.running} /> running
        </span>
      );
    case 'diffstat':
      return <Diffstat added={result.added} removed={result.removed} />;
    case 'words':
      return <span className={classNames(styles.result, styles[result.tone])}>{result.text}</span>;
  }
}

function Body({ call, path }: { call: ToolEntry; path: string }) {
  const edits = editsOf(call);
  if (edits.length > 0 && !call.hasFailed) {
    return edits.map(({ before, after }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the edits of a call never change their order
      <EditLines key={index} path={path} before={linesOf(before)} after={linesOf(after)} />
    ));
  }
  const { command } = call.input;
  const isTold = typeof command === 'string' ? !command.includes('\n') : Object.keys(call.input).length < 2;
  const input = typeof command === 'string' ? command : JSON.stringify(call.input, null, 2);
  return (
    <>
      {isTold ? null : <TerminalOutput text={input} aria-label="Input" />}
      {call.output === null ? null : (
        <TerminalOutput text={call.output === '' ? 'No output.' : call.output} aria-label="Output" />
      )}
    </>
  );
}
