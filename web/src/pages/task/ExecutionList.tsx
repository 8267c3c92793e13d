import { useQuery } from '@tanstack/react-query';

import { executionsQuery } from '../../api/queries';
import type { Execution } from '../../api/types';
import { useAgent } from '../../task/useAgent';
import { dollars } from '../../ui/amounts';
import { useNow } from '../../ui/clock';
import { MeaningIcon } from '../../ui/MeaningIcon';
import { RelativeTime } from '../../ui/RelativeTime';
import { durationWords } from '../../ui/timeWords';
import { humanize } from '../../ui/words';
import { executionMeaning } from './executionMeaning';
import styles from './FactsPanel.module.css';
import { useTaskPage } from './taskContext';

/** Every execution of the task, the latest first. */
export function ExecutionList() {
  const { task } = useTaskPage();
  const executions = useQuery(executionsQuery(task.id));
  const list = (executions.data ?? []).toSorted((one, other) => other.id.localeCompare(one.id));
  return list.length === 0 ? null : (
    <div className={styles.section}>
      <h2 className={styles.heading}>Executions</h2>
      {list.map((execution, index) => (
        <ExecutionLine key={execution.id} execution={execution} number={list.length - index} />
      ))}
    </div>
  );
}

function ExecutionLine({ execution, number }: { execution: Execution; number: number }) {
  const agent = useAgent(execution.agent_id);
  const now = useNow();
  const { started_at, finished_at, usage, outcome, status } = execution;
  const name = agent?.name ?? humanize(execution.role);
  const end = finished_at === null ? now : Date.parse(finished_at);
  const cost = usage?.cost_micro_usd;
  return (
    <div className={styles.line}>
      <MeaningIcon meaning={executionMeaning(execution)} />
      <span className="visually-hidden">{humanize(outcome ?? status)}</span>
      <strong>{number}</strong>
      {name}
      {started_at === null ? null : (
        <>
          <span className={styles.note}>
            <RelativeTime at={started_at} />
          </span>
          <span className={styles.end}>
            {durationWords(Math.max(0, end - Date.parse(started_at)))}
            {cost == null ? '' : ` · ${dollars(cost)}`}
          </span>
        </>
      )}
    </div>
  );
}
