import { Brain, ChevronRight } from 'lucide-react';

import { classNames } from '../../../ui/classNames';
import { Icon } from '../../../ui/Icon';
import { Markdown } from '../../../ui/Markdown';
import { TerminalOutput } from '../../../ui/TerminalOutput';
import type { BoxPlace } from './conversationRows';
import styles from './LogEntryView.module.css';
import type { LogEntry } from './logEntries';
import { ToolCall } from './ToolCall';

interface LogEntryViewProps {
  entry: LogEntry;
  place: BoxPlace;
  workspace: string | undefined;
  isOpen: boolean;
  onToggle: () => void;
}

/** One entry of an execution's log. */
export function LogEntryView({ entry, ...rest }: LogEntryViewProps) {
  switch (entry.kind) {
    case 'text':
      return (
        <div className={styles.text}>
          <Markdown source={entry.text} />
        </div>
      );
    case 'thinking':
      return <Thinking text={entry.text} isOpen={rest.isOpen} onToggle={rest.onToggle} />;
    case 'output':
      return (
        <div className={styles.output}>
          <TerminalOutput text={entry.text} />
        </div>
      );
    case 'status':
      return <p className={styles.status}>{entry.text}</p>;
    case 'tool':
      return <ToolCall call={entry} {...rest} />;
  }
}

function Thinking({ text, isOpen, onToggle }: { text: string; isOpen: boolean; onToggle: () => void }) {
  return (
    <div className={styles.thinking}>
      <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={onToggle}>
        <Icon icon={ChevronRight} size={14} className={classNames(isOpen && styles.turned)} />
        <Icon icon={Brain} size={16} />
        Thought
        {isOpen ? null : <span className={styles.start}>{text.split('\n')[0]}</span>}
      </button>
      {isOpen ? (
        <div className={styles.thought}>
          <Markdown source={text} />
        </div>
      ) : null}
    </div>
  );
}
