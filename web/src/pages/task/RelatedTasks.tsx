import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { dependenciesQuery, subtasksQuery, taskQuery } from '../../api/queries';
import type { Subtask } from '../../api/types';
import { Tag } from '../../ui/Badge';
import { shortCommit } from '../../ui/words';
import styles from './FactsPanel.module.css';
import { useTaskPage } from './taskContext';

/** The tasks that this one waits for, is part of, consists of, reverts or mends. */
export function RelatedTasks() {
  const { task } = useTaskPage();
  const dependencies = useQuery({ ...dependenciesQuery(task.id), enabled: task.dependencies.length > 0 });
  const subtasks = useQuery(subtasksQuery(task.id));
  const { parent, origin, reverted_by, regression } = task;
  const lines: ReactNode[] = [
    ...(dependencies.data ?? []).map(({ depends_on_id, satisfied }) => (
      <Related key={`d${depends_on_id}`} id={depends_on_id} relation={satisfied ? 'Waited for' : 'Waits for'} />
    )),
    parent === null ? null : <Related key="parent" id={parent} relation="Part of" note={turnWords(task.subtask)} />,
    ...(subtasks.data ?? []).map((part) => (
      <Related key={`s${part.id}`} id={part.id} relation="Subtask" note={turnWords(part.subtask)} />
    )),
    origin === null ? null : (
      <Related key="origin" id={origin.task_id} relation={origin.kind === 'revert' ? 'Reverts' : 'Fixes'} />
    ),
    reverted_by === null ? null : <Related key="reverted" id={reverted_by} relation="Reverted by" />,
    regression === null ? null : <Related key="fix" id={regression.fix_id} relation="Fixed by" />,
  ].filter((line) => line !== null);
  return (
    <>
      {lines.length === 0 ? null : (
        <div className={styles.section}>
          <h2 className={styles.heading}>Related</h2>
          {lines}
        </div>
      )}
      {regression === null || regression.checks.length === 0 ? null : (
        <div className={styles.section}>
          <h2 className={styles.heading}>Failed after landing</h2>
          {regression.checks.map(({ name, url }) => (
            <div key={name} className={styles.line}>
              {url !== null && /^https?:\/\//.test(url) ? <a href={url}>{name}</a> : name}
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function turnWords(subtask: Subtask | null): string | undefined {
  if (subtask === null || subtask.mode !== 'ordered_turn') {
    return undefined;
  }
  const commit = subtask.commit === null ? '' : `, ${shortCommit(subtask.commit)}`;
  return `turn ${subtask.order}${commit}${subtask.no_changes ? ', no changes' : ''}`;
}

function Related({ id, relation, note }: { id: string; relation: string; note?: string | undefined }) {
  const { project } = useTaskPage();
  const other = useQuery(taskQuery(id));
  return (
    <div className={styles.line}>
      <Tag>{relation}</Tag>
      {other.data === undefined ? (
        <span className={styles.note}>another task</span>
      ) : (
        <Link
          to="/projects/$project/$taskKey"
          params={{ project: project.slug, taskKey: other.data.key }}
          className={styles.link}
        >
          {other.data.key} {other.data.title}
        </Link>
      )}
      {note === undefined ? null : <span className={styles.note}>{note}</span>}
    </div>
  );
}
