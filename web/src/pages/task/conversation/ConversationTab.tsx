import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

import { commentsQuery, executionsQuery, reviewsQuery, workspaceQuery } from '../../../api/queries';
import { useHotkeys } from '../../../app/hotkeys/useHotkeys';
import { Loaded } from '../../../ui/Loaded';
import { FailureNotice } from '../../../ui/Notice';
import { useTabTools } from '../tabTools';
import { useTaskPage } from '../taskContext';
import { ConversationList, type ConversationListHandle } from './ConversationList';
import styles from './ConversationTab.module.css';
import { ConversationTools } from './ConversationTools';
import { conversationRows, type EntryFilter, rowText } from './conversationRows';
import { ReplyBox } from './ReplyBox';
import { threadsOf } from './thread';
import { useLogReaders } from './useLogReaders';

const NONE: never[] = [];

/** The description, every execution, check and comment in one timeline, and a box to reply. */
export function ConversationTab() {
  const { task } = useTaskPage();
  const executions = useQuery(executionsQuery(task.id));
  return (
    <Loaded what="the executions" query={executions}>
      {() => <Conversation />}
    </Loaded>
  );
}

function Conversation() {
  const { task } = useTaskPage();
  const executions = useQuery(executionsQuery(task.id)).data ?? NONE;
  const comments = useQuery(commentsQuery(task.id));
  const reviews = useQuery(reviewsQuery(task.id));
  const workspace = useQuery({ ...workspaceQuery(task.id), enabled: executions.length > 0 });
  const tools = useTabTools();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [filter, setFilter] = useState<EntryFilter>('conversation');
  const [text, setText] = useState<string | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const list = useRef<ConversationListHandle>(null);
  const searchField = useRef<HTMLInputElement>(null);

  // Identifiers are UUIDv7, so their order is that of time.
  const latest = executions.toSorted((one, other) => one.id.localeCompare(other.id)).at(-1);
  const isOpen = (id: string) => (id === latest?.id) !== toggled.has(id);
  const open = executions.map(({ id }) => id).filter(isOpen);
  const logs = useLogReaders(open);
  const openList = open.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version and the list stand for the logs that are read
  const rows = useMemo(
    () =>
      conversationRows({
        executions,
        reviews: reviews.data ?? NONE,
        threads: threadsOf(comments.data ?? NONE),
        isOpen: (id) => openList.split(' ').includes(id),
        readingOf: logs.readingOf,
        filter,
      }),
    [executions, reviews.data, comments.data, openList, logs.version, filter],
  );
  const wanted = useDeferredValue((text ?? '').toLowerCase());
  const matches = useMemo(
    () => (wanted === '' ? [] : rows.filter((row) => rowText(row).toLowerCase().includes(wanted))),
    [rows, wanted],
  );

  const position = matches.findIndex(({ key }) => key === shown);
  const show = (index: number) => {
    const row = matches.at(index);
    if (row !== undefined) {
      setShown(row.key);
      list.current?.showRow(row.key);
    }
  };
  const step = (direction: 1 | -1) => show((position + direction) % Math.max(1, matches.length));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text leads to its last match, more rows do not
  useEffect(() => show(-1), [wanted]);
  const search = (changed: string | null) => {
    setText(changed);
    if (changed !== null && text === null) {
      // What was not read yet is searched too.
      for (const id of open) {
        if ((logs.readingOf(id)?.earlier ?? 0) > 0) {
          logs.loadEarlier(id, true);
        }
      }
      requestAnimationFrame(() => searchField.current?.focus());
    }
  };
  const key = (keys: string, label: string, run: () => void) => ({ keys, label, group: 'Conversation', run });
  useHotkeys([
    key('/', 'Find in the conversation', () => search(text ?? '')),
    key('end', 'Follow', () => list.current?.follow()),
  ]);
  const toggle = (id: string) => {
    const after = new Set(toggled);
    if (!after.delete(id)) {
      after.add(id);
    }
    setToggled(after);
  };
  const failure = comments.error ?? reviews.error;
  return (
    <div className={styles.page}>
      {tools === null || latest === undefined
        ? null
        : createPortal(
            <ConversationTools
              search={text === null ? null : { text, matches: matches.length, position }}
              searchRef={searchField}
              filter={filter}
              onSearch={search}
              onStep={step}
              onFilter={setFilter}
            />,
            tools,
          )}
      {failure === null ? null : (
        <div className={styles.notices}>
          <FailureNotice failure={failure} />
        </div>
      )}
      <ConversationList
        handle={list}
        task={task}
        rows={rows}
        workspace={workspace.data?.path}
        found={wanted}
        onToggleExecution={toggle}
        onEarlier={logs.loadEarlier}
      />
      <div className={styles.reply}>
        <ReplyBox task={task} latest={latest} />
      </div>
    </div>
  );
}
