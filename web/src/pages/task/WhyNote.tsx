import { useQuery } from '@tanstack/react-query';

import { whyQuery } from '../../api/queries';
import { sentence } from '../../task/sentence';
import styles from './FactsPanel.module.css';
import { useTaskPage } from './taskContext';

/** Why the task is where it is, in the words of the server, and what to do next. */
export function WhyNote() {
  const { task, situated } = useTaskPage();
  const { data } = useQuery(whyQuery(task.id));
  const trouble = task.error_annotation?.message;
  const message = situated.situation.reason ?? data?.message ?? trouble;
  if (message === undefined || message === null) {
    return null;
  }
  const others = [
    ...(data?.reasons.map((reason) => reason.message) ?? []),
    ...(trouble === undefined ? [] : [trouble]),
  ];
  return (
    <div className={styles.reason}>
      <p>{sentence(message)}</p>
      {data?.files.map((file) => (
        <code key={file} className={styles.command}>
          {file}
        </code>
      ))}
      {[...new Set(others)]
        .filter((other) => other !== message)
        .map((other) => (
          <p key={other} className={styles.note}>
            {sentence(other)}
          </p>
        ))}
    </div>
  );
}
