import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';

import type { Task } from '../../../api/types';
import { Button } from '../../../ui/Button';
import { classNames } from '../../../ui/classNames';
import { FailureNotice } from '../../../ui/Notice';
import { plural } from '../../../ui/words';
import { CommentThread } from './CommentThread';
import styles from './ConversationList.module.css';
import { type ConversationRow, isOpenAtFirst } from './conversationRows';
import { Description } from './Description';
import { ExecutionHeading } from './ExecutionHeading';
import { LogEntryView } from './LogEntryView';
import { ReviewRow } from './ReviewRow';
import { useFoundText } from './useFoundText';

/** A list that ends closer to its end than this is followed. */
const AT_END = 48;
/** A scroll so soon after the user's hand moved is the user's. */
const USER_SCROLL_MS = 500;

export interface ConversationListHandle {
  showRow: (key: string) => void;
  follow: () => void;
}

interface ConversationListProps {
  task: Task;
  rows: readonly ConversationRow[];
  workspace: string | undefined;
  /** The text that is searched for. */
  found: string;
  handle: Ref<ConversationListHandle>;
  onToggleExecution: (execution: string) => void;
  onEarlier: (execution: string) => void;
}

/** The rows of a conversation, of which only those near the screen exist. New rows never move what is being read. */
export function ConversationList({
  task,
  rows,
  workspace,
  found,
  handle,
  onToggleExecution,
  onEarlier,
}: ConversationListProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const touchedAt = useRef(Number.NEGATIVE_INFINITY);
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [marked, setMarked] = useState<string | null>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const [seen, setSeen] = useState(0);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => estimateOf(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    anchorTo: 'end',
    scrollEndThreshold: AT_END,
  });
  const size = virtualizer.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size changes whenever the end moves
  useEffect(() => {
    if (isFollowing.current && rows.length > 1) {
      virtualizer.scrollToIndex(rows.length - 1, { align: 'end' });
    }
  }, [rows, size, virtualizer]);
  useFoundText(scroll, found);
  const follow = () => {
    isFollowing.current = true;
    virtualizer.scrollToIndex(rows.length - 1, { align: 'end' });
  };
  useImperativeHandle(handle, () => ({
    showRow: (key) => {
      const index = rows.findIndex((row) => row.key === key);
      if (index >= 0) {
        isFollowing.current = false;
        setMarked(key);
        setFolds((before) => new Map(before).set(key, true));
        virtualizer.scrollToIndex(index, { align: 'center' });
      }
    },
    follow,
  }));
  const onUserScroll = () => {
    touchedAt.current = performance.now();
  };
  const onScroll = () => {
    const element = scroll.current;
    if (element === null) {
      return;
    }
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= AT_END;
    // New and measured rows scroll too; only the user stops the following.
    if (atEnd || performance.now() - touchedAt.current < USER_SCROLL_MS) {
      isFollowing.current = atEnd;
      setAtEnd(atEnd);
      if (atEnd || isAtEnd) {
        setSeen(rows.length);
      }
    }
  };
  const isOpen = (row: ConversationRow) =>
    folds.get(row.key) ?? (row.kind === 'entry' ? isOpenAtFirst(row.entry) : false);
  const toggle = (row: ConversationRow) => setFolds((before) => new Map(before).set(row.key, !isOpen(row)));
  const news = Math.max(0, rows.length - seen);
  return (
    <div className={styles.frame}>
      <div
        ref={scroll}
        className={styles.scroll}
        role="log"
        aria-label="Log of executions"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        onScroll={onScroll}
        onWheel={onUserScroll}
        onTouchMove={onUserScroll}
        onPointerDown={onUserScroll}
        onKeyDown={onUserScroll}
      >
        <div className={styles.items} style={{ height: size }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={classNames(styles.item, row.key === marked && styles.marked)}
                style={{ transform: `translateY(${start}px)` }}
              >
                <RowView
                  row={row}
                  task={task}
                  workspace={workspace}
                  isOpen={isOpen(row)}
                  hasExecutions={rows.some(({ kind }) => kind === 'execution')}
                  onToggle={() => toggle(row)}
                  onToggleExecution={onToggleExecution}
                  onEarlier={onEarlier}
                />
              </div>
            );
          })}
        </div>
      </div>
      {isAtEnd ? null : (
        <Button className={styles.pill} icon={ArrowDown} hotkey="End" onClick={follow}>
          {news === 0 ? 'To the end' : `${plural(news, 'new line')}`}
        </Button>
      )}
    </div>
  );
}

function estimateOf(row: ConversationRow | undefined): number {
  if (row?.kind !== 'entry') {
    return 44;
  }
  return row.entry.kind === 'text' ? 60 : 34;
}

interface RowViewProps extends Pick<ConversationListProps, 'task' | 'workspace' | 'onToggleExecution' | 'onEarlier'> {
  row: ConversationRow;
  isOpen: boolean;
  hasExecutions: boolean;
  onToggle: () => void;
}

function RowView({
  row,
  task,
  workspace,
  isOpen,
  hasExecutions,
  onToggle,
  onToggleExecution,
  onEarlier,
}: RowViewProps) {
  switch (row.kind) {
    case 'description':
      return <Description task={task} isFoldable={hasExecutions} />;
    case 'execution':
      return (
        <ExecutionHeading
          execution={row.execution}
          number={row.number}
          isOpen={row.isOpen}
          onToggle={() => onToggleExecution(row.execution.id)}
        />
      );
    case 'earlier':
      return (
        <div className={styles.earlier}>
          <Button look="ghost" size="small" busy={row.isLoading} onClick={() => onEarlier(row.execution)}>
            Show earlier events ({row.count.toLocaleString('en')})
          </Button>
        </div>
      );
    case 'entry':
      return (
        <LogEntryView entry={row.entry} place={row.place} workspace={workspace} isOpen={isOpen} onToggle={onToggle} />
      );
    case 'remark':
      return <p className={styles.remark}>{row.text}</p>;
    case 'failure':
      return <FailureNotice failure={row.failure} />;
    case 'attempt':
      return <ReviewRow review={row.review} />;
    case 'comment':
      return <CommentThread task={task.id} thread={row.thread} />;
  }
}
