import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';

import { checkRecordsQuery, reviewsQuery } from '../../../api/queries';
import { EmptyState } from '../../../ui/EmptyState';
import { Loaded } from '../../../ui/Loaded';
import { plural } from '../../../ui/words';
import { useTaskPage } from '../taskContext';
import { AttemptList } from './AttemptList';
import styles from './ChecksTab.module.css';
import { ReviewAttempt } from './ReviewAttempt';

/** The attempts of the task at its gate, and one of them in full. */
export function ChecksTab() {
  const { task } = useTaskPage();
  const reviews = useQuery(reviewsQuery(task.id));
  const { attempt } = useSearch({ from: '/projects/$project/$taskKey/checks' });
  const configured = task.review_config.ci_steps ?? [];
  return (
    <Loaded what="the checks" query={reviews}>
      {(list) => {
        const ordered = list.toSorted((one, other) => other.attempt_number - one.attempt_number);
        const shown = ordered.find(({ attempt_number }) => attempt_number === attempt) ?? ordered[0];
        return shown === undefined ? (
          <EmptyState
            title={configured.length === 0 ? 'No checks set. The task lands untested.' : 'The checks have not run yet.'}
          >
            <ul>
              {configured.map((command) => (
                <li key={command}>
                  <code>{command}</code>
                </li>
              ))}
            </ul>
          </EmptyState>
        ) : (
          <div className={styles.page}>
            <div className={styles.side}>
              <h2 className={styles.heading}>Attempts</h2>
              <AttemptList reviews={ordered} shown={shown.attempt_number} />
              <CheckHistory commands={shown.step_results.map(({ command }) => command)} />
            </div>
            <ReviewAttempt key={shown.id} review={shown} />
          </div>
        );
      }}
    </Loaded>
  );
}

/** How reliable these checks were on the merge train. */
function CheckHistory({ commands }: { commands: readonly string[] }) {
  const { project } = useTaskPage();
  const records = useQuery(checkRecordsQuery(project.id));
  const known = (records.data ?? []).filter(({ command, runs }) => runs > 0 && commands.includes(command));
  return known.length === 0 ? null : (
    <>
      <h2 className={styles.heading}>On the merge train</h2>
      <ul className={styles.records}>
        {known.map(({ command, runs, failures, flips }) => (
          <li key={command} title={command}>
            <code className={styles.command}>{command}</code>
            <span>
              {plural(failures, 'failure')} in {plural(runs, 'run')}
              {flips === 0 ? '' : `, ${plural(flips, 'flake')}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
