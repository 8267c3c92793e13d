import { useQuery } from '@tanstack/react-query';

import { stepsQuery, transitionsQuery } from '../../api/queries';
import type { Step, Transition } from '../../api/types';
import { Answered } from '../../ui/Answered';
import { Badge } from '../../ui/Badge';
import { Empty } from '../../ui/Empty';
import { Time } from '../../ui/Time';
import { Who } from '../../ui/Who';
import { humanize } from '../../ui/words';
import { latestFirst } from './order';

/** Every change of the task's status, the latest first, and the work the engine still has to do for it. */
export function HistoryList({ task }: { task: string }) {
  const transitions = useQuery(transitionsQuery(task));
  const steps = useQuery(stepsQuery(task));
  const open = steps.data?.filter(({ finished_at }) => finished_at === null) ?? [];
  return (
    <>
      {open.length === 0 ? null : <OpenSteps steps={open} />}
      <Answered what="the history" query={transitions}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="The task has not moved yet." />
          ) : (
            <ol className="history" aria-label="History">
              {latestFirst(list).map((transition) => (
                <TransitionItem key={transition.id} transition={transition} />
              ))}
            </ol>
          )
        }
      </Answered>
    </>
  );
}

function TransitionItem({ transition }: { transition: Transition }) {
  return (
    <li>
      <p className="facts">
        <strong>
          {humanize(transition.from_state)} → {humanize(transition.to_state)}
        </strong>
        {transition.rejection ? <Badge tone="bad">Rejected</Badge> : null}
        <Who actor={transition.triggered_by} />
        <Time at={transition.at} />
      </p>
      {transition.trigger_reason === null ? null : <p className="prose">{transition.trigger_reason}</p>}
    </li>
  );
}

function OpenSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <ul className="open-steps" aria-label="Under way">
      {steps.map((step) => (
        <li key={step.id} className="facts">
          <Badge tone="active">{humanize(step.state)}</Badge>
          <span>{humanize(step.kind)}</span>
          {step.attempts > 1 ? <span className="fine">attempt {step.attempts}</span> : null}
          {step.last_error === null ? null : <span className="problem">{step.last_error}</span>}
        </li>
      ))}
    </ul>
  );
}
