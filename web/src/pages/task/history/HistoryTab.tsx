import { useQuery } from '@tanstack/react-query';

import { stepsQuery, transitionsQuery } from '../../../api/queries';
import type { Step, Transition } from '../../../api/types';
import { ActorName } from '../../../ui/ActorName';
import { Badge } from '../../../ui/Badge';
import { EmptyState } from '../../../ui/EmptyState';
import { Loaded } from '../../../ui/Loaded';
import { RelativeTime } from '../../../ui/RelativeTime';
import { humanize } from '../../../ui/words';
import { useTaskPage } from '../taskContext';
import styles from './HistoryTab.module.css';
import { latestFirst } from './order';

/** Every change of the task's state, the latest first, and what the server still has to do for it. */
export function HistoryTab() {
  const { task } = useTaskPage();
  const transitions = useQuery(transitionsQuery(task.id));
  const steps = useQuery(stepsQuery(task.id));
  const open = steps.data?.filter(({ finished_at }) => finished_at === null) ?? [];
  return (
    <>
      {open.length === 0 ? null : <OpenSteps steps={open} />}
      <Loaded what="the history" query={transitions}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="The task has not moved yet." />
          ) : (
            <ol aria-label="History">
              {latestFirst(list).map((transition) => (
                <TransitionItem key={transition.id} transition={transition} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </>
  );
}

function TransitionItem({ transition }: { transition: Transition }) {
  return (
    <li className={styles.item}>
      <div className={styles.line}>
        <span className={styles.states}>
          {humanize(transition.from_state)} → {humanize(transition.to_state)}
        </span>
        {transition.rejection ? <Badge meaning="failed">Sent back</Badge> : null}
        <ActorName actor={transition.triggered_by} />
        <RelativeTime at={transition.at} form="long" />
      </div>
      {transition.trigger_reason === null ? null : <p className={styles.reason}>{transition.trigger_reason}</p>}
    </li>
  );
}

function OpenSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <ul aria-label="Under way">
      {steps.map((step) => (
        <li key={step.id} className={styles.item}>
          <div className={styles.line}>
            <Badge meaning="working">{humanize(step.state)}</Badge>
            {humanize(step.kind)}
            {step.attempts > 1 ? <span>attempt {step.attempts}</span> : null}
            {step.last_error === null ? null : <span className={styles.problem}>{step.last_error}</span>}
          </div>
        </li>
      ))}
    </ul>
  );
}
