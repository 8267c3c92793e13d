import { Link } from '@tanstack/react-router';
import { GitMergeConflict, SquareCheck } from 'lucide-react';
import type { ReactNode, Ref } from 'react';

import { NamedAvatar } from '../ui/Avatar';
import { CheckPips, type CheckState } from '../ui/CheckPips';
import { classNames } from '../ui/classNames';
import { Diffstat } from '../ui/Diffstat';
import { Icon } from '../ui/Icon';
import { MeaningIcon } from '../ui/MeaningIcon';
import colours from '../ui/meaning.module.css';
import { PriorityIcon } from '../ui/PriorityIcon';
import { RelativeTime } from '../ui/RelativeTime';
import type { Situation } from './situation';
import styles from './TaskCard.module.css';

export interface TaskCardFacts {
  taskKey: string;
  title: string;
  /** The slug of its project. */
  project: string;
  situation: Situation;
  agent?: { name: string; program: string } | undefined;
  /** From the second attempt on. */
  attempt?: string | undefined;
  checks?: readonly CheckState[] | undefined;
  changes?: { added: number; removed: number } | undefined;
  cost?: string | undefined;
  /** What its branch conflicts with, one line each. */
  conflicts?: readonly string[] | undefined;
  label?: string | undefined;
  priority: number;
  /** Since when it is as it is. */
  since: string;
}

interface TaskCardProps {
  facts: TaskCardFacts;
  isSelected?: boolean;
  /** One of several that the next action is for. */
  isChosen?: boolean;
  isDragging?: boolean;
  isStale?: boolean;
  /** One quick action and the menu, in place of the agent. */
  quick?: ReactNode;
  linkRef?: Ref<HTMLAnchorElement>;
}

/** A task on the board. */
export function TaskCard({
  facts,
  isSelected = false,
  isChosen = false,
  isDragging = false,
  isStale = false,
  quick,
  linkRef,
}: TaskCardProps) {
  const { situation, agent } = facts;
  const isUrgent = situation.meaning === 'needs-you' || situation.meaning === 'failed';
  const isDone = situation.meaning === 'landed' || situation.meaning === 'ended';
  return (
    <article
      data-meaning={situation.meaning}
      className={classNames(
        styles.card,
        isSelected && styles.selected,
        isChosen && styles.chosen,
        isDragging && styles.dragging,
        isStale && styles.stale,
        isDone && styles.done,
      )}
    >
      <div className={styles.top}>
        {isChosen ? (
          <Icon icon={SquareCheck} className={styles.check} />
        ) : (
          <MeaningIcon meaning={situation.meaning} icon={situation.icon} isLive={!isStale} />
        )}
        {isChosen ? <span className="visually-hidden">Chosen,</span> : null}
        <span className="visually-hidden">{situation.label}</span>
        <span>{facts.taskKey}</span>
        {facts.attempt === undefined ? null : <span className={styles.attempt}>· {facts.attempt}</span>}
        <span className={styles.agent}>
          {quick ??
            (agent === undefined ? (
              'Any agent'
            ) : (
              <NamedAvatar kind="agent" name={agent.name} program={agent.program} />
            ))}
        </span>
      </div>
      <Link
        to="/projects/$project/$taskKey"
        params={{ project: facts.project, taskKey: facts.taskKey }}
        className={styles.title}
        ref={linkRef}
        draggable={false}
      >
        {facts.title}
      </Link>
      {situation.reason === null ? null : (
        <p
          className={classNames(styles.reason, isUrgent && classNames(styles.urgent, colours[situation.meaning]))}
          title={situation.reason}
        >
          {situation.reason}
        </p>
      )}
      <CardFoot facts={facts} />
    </article>
  );
}

function CardFoot({ facts }: { facts: TaskCardFacts }) {
  const { checks, changes, cost, conflicts = [], label, priority, since } = facts;
  const isMeasured = checks !== undefined || changes !== undefined;
  return (
    <div className={styles.bottom}>
      {isMeasured ? null : <PriorityIcon priority={priority} />}
      {isMeasured || label === undefined ? null : <span className={styles.label}>{label}</span>}
      {checks === undefined ? null : <CheckPips checks={checks} />}
      {changes === undefined ? null : <Diffstat {...changes} />}
      {conflicts.length === 0 ? null : (
        <span className={styles.conflict} title={conflicts.join('\n')}>
          <Icon icon={GitMergeConflict} size={14} />
          <span className="visually-hidden">{conflicts.join('. ')}</span>
        </span>
      )}
      <span className={styles.end}>{cost ?? <RelativeTime at={since} />}</span>
    </div>
  );
}
