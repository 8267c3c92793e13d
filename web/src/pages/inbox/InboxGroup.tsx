import { type ReactNode, useState } from 'react';

import { TaskRow } from '../../task/TaskRow';
import { GroupHeading } from '../../ui/GroupHeading';
import type { InboxTask } from './useInbox';

interface InboxGroupProps<Row> {
  title: string;
  rows: readonly Row[];
  /** How many are shown before "Show more". */
  shownAtFirst: number;
  children: (row: Row) => ReactNode;
}

/** A heading that folds, and its rows. */
export function InboxGroup<Row>({ title, rows, shownAtFirst, children }: InboxGroupProps<Row>) {
  const [isOpen, setOpen] = useState(true);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, shownAtFirst);
  const hidden = rows.length - shown.length;
  return (
    <section aria-label={title}>
      <GroupHeading
        title={title}
        count={rows.length}
        fold={{ isOpen, onToggle: () => setOpen(!isOpen) }}
        {...(hidden > 0 ? { action: { label: `Show ${hidden} more`, onClick: () => setWhole(true) } } : {})}
      />
      {isOpen ? shown.map(children) : null}
    </section>
  );
}

interface TaskGroupProps {
  title: string;
  tasks: readonly InboxTask[];
  shownAtFirst: number;
}

function OfTasks({ title, tasks, shownAtFirst }: TaskGroupProps) {
  return tasks.length === 0 ? null : (
    <InboxGroup title={title} rows={tasks} shownAtFirst={shownAtFirst}>
      {(card) => <TaskRow key={card.task.id} card={card} project={card.project} isProjectShown />}
    </InboxGroup>
  );
}

/** A group of tasks; nothing while there are none. */
InboxGroup.OfTasks = OfTasks;
