import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';

import { agentsQuery } from '../../../api/queries';
import type { Execution } from '../../../api/types';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Icon } from '../../../ui/Icon';
import { FailureNotice } from '../../../ui/Notice';
import { RelativeTime } from '../../../ui/RelativeTime';
import { humanize, shortCommit } from '../../../ui/words';
import { executionMeaning } from '../executionMeaning';
import styles from './ConversationTab.module.css';
import { LogEntryView } from './LogEntryView';
import { logEntries } from './logEntries';
import { useLogEvents } from './useLogEvents';

interface ExecutionLogProps {
  execution: Execution;
  number: number;
  isOpenAtFirst: boolean;
}

/** One execution of the timeline: what its agent said and did. */
export function ExecutionLog({ execution, number, isOpenAtFirst }: ExecutionLogProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const agents = useQuery(agentsQuery());
  const { events, hasEnded, isCut, failure } = useLogEvents(execution.id, isOpen);
  const { outcome, status, exit_code, started_at, commit, no_changes } = execution;
  const name = agents.data?.find(({ id }) => id === execution.agent_id)?.name ?? humanize(execution.role);
  const entries = logEntries(events);
  return (
    <section className={styles.execution} aria-label={`Execution ${number}`}>
      <div className={styles.divider}>
        <Icon icon={Play} size={14} />
        Execution {number}, {name}
        {started_at === null ? null : <RelativeTime at={started_at} form="long" />}
        <span className={styles.facts}>
          <Badge meaning={executionMeaning(execution)}>{humanize(outcome ?? status)}</Badge>
          {exit_code === null || exit_code === 0 ? '' : ` exit ${exit_code}`}
          {commit === null ? '' : ` ${shortCommit(commit)}`}
          {no_changes === true ? ' without changes' : ''}
        </span>
      </div>
      {isOpen ? (
        <div role="log" aria-label={`Log of execution ${number}`} className={styles.execution}>
          <FailureNotice failure={failure} />
          {isCut ? <p className={styles.quiet}>Earlier events are left out. `forge task log` shows all.</p> : null}
          {entries.map((entry) => (
            <LogEntryView key={entry.seq} entry={entry} />
          ))}
          {entries.length > 0 ? null : <p className={styles.quiet}>{hasEnded ? 'No output.' : 'No output yet.'}</p>}
        </div>
      ) : (
        <div>
          <Button look="ghost" size="small" onClick={() => setOpen(true)}>
            Show
          </Button>
        </div>
      )}
    </section>
  );
}
