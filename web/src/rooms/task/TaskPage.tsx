import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { projectQuery, taskQuery } from '../../api/queries';
import type { Task } from '../../api/types';
import { Link, replaceParameter, useParameter } from '../../app/router';
import { to } from '../../app/routes';
import { useTitle } from '../../app/title';
import { Answered } from '../../ui/Answered';
import { Badge } from '../../ui/Badge';
import { Notice } from '../../ui/Notice';
import { type Tab, Tabs } from '../../ui/Tabs';
import { humanize } from '../../ui/words';
import { ActionBar } from './ActionBar';
import { CommentList } from './CommentList';
import { DiffView } from './DiffView';
import { HistoryList } from './HistoryList';
import { LogView } from './LogView';
import { Overview } from './Overview';
import { ReviewList } from './ReviewList';
import './task.css';

type View = 'log' | 'reviews' | 'diff' | 'comments' | 'history';

const TABS: readonly Tab<View>[] = [
  { name: 'log', label: 'Log' },
  { name: 'reviews', label: 'Reviews' },
  { name: 'diff', label: 'Workspace Diff' },
  { name: 'comments', label: 'Comments' },
  { name: 'history', label: 'History' },
];

const PARAMETER = 'tab';

/** A task. */
export function TaskPage({ id }: { id: string }) {
  const task = useQuery(taskQuery(id));
  useTitle(task.data === undefined ? undefined : `${task.data.key} ${task.data.title}`);
  return (
    <div className="page task">
      <Answered what="the task" query={task}>
        {(shown) => <TaskView task={shown} />}
      </Answered>
    </div>
  );
}

function TaskView({ task }: { task: Task }) {
  const project = useQuery(projectQuery(task.project_id));
  const parameter = useParameter(PARAMETER);
  const view = TABS.find(({ name }) => name === parameter)?.name ?? 'log';
  return (
    <>
      <nav aria-label="Place">
        <Link href={to.board(task.project_id)}>{project.data?.name ?? 'Board'}</Link>
      </nav>
      <header className="task-head">
        <h1>
          <span className="key">{task.key}</span> {task.title}
        </h1>
        <p className="facts">
          <span className="status" role="status" aria-label="Status">
            <Badge tone="active">{humanize(task.status)}</Badge>
          </span>
          {task.busy === null ? null : <Badge>{humanize(task.busy)}</Badge>}
          {task.archived_at === null ? null : <Badge>Archived</Badge>}
          {task.labels.map((label) => (
            <Badge key={label}>{label}</Badge>
          ))}
        </p>
      </header>
      {task.error_annotation === null ? null : (
        <Notice tone="warning" title={humanize(task.error_annotation.type)}>
          {task.error_annotation.message}
        </Notice>
      )}
      <ActionBar task={task} />
      <Overview task={task} />
      <Tabs label="About this task" tabs={TABS} current={view} onChange={(name) => replaceParameter(PARAMETER, name)}>
        {contentOf(view, task.id)}
      </Tabs>
    </>
  );
}

function contentOf(view: View, task: string): ReactNode {
  switch (view) {
    case 'log':
      return <LogView task={task} />;
    case 'reviews':
      return <ReviewList task={task} />;
    case 'diff':
      return <DiffView task={task} />;
    case 'comments':
      return <CommentList task={task} />;
    case 'history':
      return <HistoryList task={task} />;
  }
}
