import { ChevronRight } from 'lucide-react';

import type { Execution } from '../../../api/types';
import { useAgent } from '../../../task/useAgent';
import { dollars } from '../../../ui/amounts';
import { classNames } from '../../../ui/classNames';
import { useNow } from '../../../ui/clock';
import { Icon } from '../../../ui/Icon';
import { MeaningIcon } from '../../../ui/MeaningIcon';
import { RelativeTime } from '../../../ui/RelativeTime';
import { durationWords } from '../../../ui/timeWords';
import { humanize, shortCommit } from '../../../ui/words';
import { executionMeaning } from '../executionMeaning';
import styles from './ConversationRow.module.css';

interface ExecutionHeadingProps {
  execution: Execution;
  number: number;
  isOpen: boolean;
  onToggle: () => void;
}

/** Where an execution begins in the timeline; folds its log. */
export function ExecutionHeading({ execution, number, isOpen, onToggle }: ExecutionHeadingProps) {
  const agent = useAgent(execution.agent_id);
  const now = useNow();
  const { outcome, status, exit_code, started_at, finished_at, commit, no_changes, usage, failure } = execution;
  const name = agent?.name ?? humanize(execution.role);
  const end = finished_at === null ? now : Date.parse(finished_at);
  const cost = usage?.cost_micro_usd;
  const facts = [
    outcome === null || outcome === 'succeeded' ? null : humanize(outcome),
    exit_code === null || exit_code === 0 ? null : `exit ${exit_code}`,
    no_changes === true ? 'no changes' : null,
    commit === null || no_changes === true ? null : shortCommit(commit),
    started_at === null ? humanize(status) : durationWords(Math.max(0, end - Date.parse(started_at))),
    cost == null ? null : dollars(cost),
  ];
  return (
    <div className={styles.heading}>
      <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={onToggle}>
        <Icon icon={ChevronRight} size={14} className={classNames(isOpen && styles.turned)} />
        <MeaningIcon meaning={executionMeaning(execution)} size={14} />
        <span className={styles.label}>
          Execution {number}, {name}
          {started_at === null ? null : (
            <>
              , <RelativeTime at={started_at} form="long" />
            </>
          )}
        </span>
        <span className={styles.rule} />
        <span className={classNames(styles.facts, failure !== null && styles.failed)}>
          {facts.filter((fact) => fact !== null).join(', ')}
        </span>
      </button>
      {failure === null || !isOpen ? null : <p className={styles.failed}>{failure.message}</p>}
    </div>
  );
}
