import { Brain, FilePen, FileText, Globe, type LucideIcon, Search, SquareTerminal, Wrench } from 'lucide-react';

import { classNames } from '../../../ui/classNames';
import { Icon } from '../../../ui/Icon';
import { Markdown } from '../../../ui/Markdown';
import { TerminalOutput } from '../../../ui/TerminalOutput';
import styles from './ConversationTab.module.css';
import type { LogEntry } from './logEntries';

/** One entry of an execution's log. */
export function LogEntryView({ entry }: { entry: LogEntry }) {
  switch (entry.kind) {
    case 'text':
      return <Markdown source={entry.text} />;
    case 'thinking':
      return (
        <details>
          <summary className={styles.fold}>
            <Icon icon={Brain} size={14} />
            <span className={styles.quiet}>Thinking</span>
          </summary>
          <Markdown source={entry.text} />
        </details>
      );
    case 'output':
      return (
        <div className={styles.block}>
          <TerminalOutput text={entry.text} />
        </div>
      );
    case 'status':
      return <p className={styles.quiet}>{entry.text}</p>;
    case 'tool':
      return <ToolCall call={entry} />;
  }
}

function ToolCall({ call }: { call: Extract<LogEntry, { kind: 'tool' }> }) {
  return (
    <details className={styles.block}>
      <summary className={styles.fold}>
        <Icon icon={toolIcon(call.name)} size={14} />
        <strong>{call.name}</strong>
        <code className={styles.argument}>{call.argument}</code>
        <span className={classNames(styles.quiet, call.hasFailed && styles.failed)}>
          {call.output === null ? 'running' : call.hasFailed ? 'failed' : 'finished'}
        </span>
      </summary>
      {call.input === '' ? null : <TerminalOutput text={call.input} />}
      {call.output === null || call.output === '' ? null : <TerminalOutput text={call.output} />}
    </details>
  );
}

const ICONS: readonly (readonly [RegExp, LucideIcon])[] = [
  [/edit|write|patch/i, FilePen],
  [/read|view|cat/i, FileText],
  [/bash|shell|exec|run|command/i, SquareTerminal],
  [/grep|glob|search|find/i, Search],
  [/web|fetch|url/i, Globe],
];

function toolIcon(name: string): LucideIcon {
  return ICONS.find(([pattern]) => pattern.test(name))?.[1] ?? Wrench;
}
