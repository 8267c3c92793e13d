import { type LucideIcon, MessageCircleQuestionMark } from 'lucide-react';

import { isFinished, isReviewed, isWorked } from '../api/phases';
import type { NeedsPerson, StateView, Task, TaskWaiting } from '../api/types';
import { shortCommit } from '../ui/words';
import { MEANINGS, type Meaning } from './meanings';
import { personReasonLook, personReasonWords } from './personReasons';
import { sentence } from './sentence';

/** Everything the page knows about where a task stands. */
export interface SituationFacts {
  task: Task;
  /** Its state in the workflow; absent for a state that an older workflow had. */
  state: StateView | undefined;
  /** Its line on the needs-a-person list. */
  person?: NeedsPerson | undefined;
  waiting?: TaskWaiting | undefined;
  /** The agent that has it. */
  agentName?: string | undefined;
}

/** What a task's situation means, and why it is where it is. */
export interface Situation {
  meaning: Meaning;
  /** One or two words for a badge. */
  label: string;
  /** The reason's own icon, if it has one. */
  icon: LucideIcon | undefined;
  /** One line; null where there is nothing to say. */
  reason: string | null;
}

/** Waits that end by themselves or by a switch, so they do not need the user now. */
const HELD_CODES: ReadonlySet<string> = new Set([
  'project_paused',
  'dispatch_paused',
  'dependency',
  'conflict_hold',
  'budget_exhausted',
  'quota_wait',
  'agent_paused',
  'not_signed_in',
  'disk_low',
  'memory_low',
  'pressure_high',
]);

const HELD_TROUBLES: ReadonlySet<string> = new Set(['quota_wait', 'dependency_open', 'budget_exhausted']);

const BUSY_WORDS: Readonly<Record<NonNullable<Task['busy']>, string>> = {
  stopping: 'Stopping',
  preparing: 'Preparing the workspace',
  running: 'Running',
  checking: 'Running checks',
  judging: 'Reviewer reads the change',
  landing: 'Landing',
  cleaning: 'Removing the workspace',
  rebasing: 'Updating the branch',
  reverting: 'Making the revert',
};

/** Derives the meaning from the state's kind, the outcome and the waiting reasons, never from a state's name. */
export function situationOf(facts: SituationFacts): Situation {
  const { task, state, person, waiting } = facts;
  if (state?.kind === 'terminal') {
    return endOf(task, state);
  }
  if (person !== undefined) {
    const look = personReasonLook(person.reason);
    const icon = person.reason === 'question' ? MessageCircleQuestionMark : look.icon;
    return {
      meaning: look.isFailure ? 'failed' : 'needs-you',
      label: look.label,
      icon,
      reason: personReasonWords(person),
    };
  }
  const held = heldReason(task, waiting);
  if (held !== null) {
    return { ...plain('held'), reason: held };
  }
  const meaning = state === undefined ? meaningOfPhase(task) : meaningOfKind(state);
  return { ...plain(meaning), reason: reasonOf(facts) };
}

function plain(meaning: Meaning): Omit<Situation, 'reason'> {
  return { meaning, label: MEANINGS[meaning].label, icon: undefined };
}

function endOf(task: Task, state: StateView): Situation {
  if (state.outcome === 'failure') {
    return { ...plain('failed'), reason: task.error_annotation?.message ?? null };
  }
  if (state.outcome !== 'success') {
    return { ...plain('ended'), reason: null };
  }
  const { landing } = task;
  const reason =
    landing === null
      ? null
      : landing.commit === null
        ? `Nothing to merge into ${landing.target}`
        : `${shortCommit(landing.commit)} on ${landing.target}`;
  return { ...plain('landed'), reason };
}

function heldReason(task: Task, waiting: TaskWaiting | undefined): string | null {
  const trouble = task.error_annotation;
  if (trouble !== null && HELD_TROUBLES.has(trouble.type)) {
    return sentence(trouble.message);
  }
  const holding = waiting?.reasons.find(({ code }) => HELD_CODES.has(code));
  return holding === undefined ? null : sentence(holding.message);
}

function meaningOfKind(state: StateView): Meaning {
  switch (state.kind) {
    case 'queue':
      return 'queued';
    case 'work':
      return 'working';
    case 'gate':
      return 'checking';
    case 'merge':
      return 'landing';
    case 'hold':
      return 'needs-you';
    case 'terminal':
      return 'landed';
  }
}

/** For a state that the present workflow does not have. */
function meaningOfPhase({ phase }: Task): Meaning {
  if (isFinished(phase)) {
    return 'landed';
  }
  return isReviewed(phase) ? 'checking' : isWorked(phase) ? 'working' : 'queued';
}

function reasonOf({ task, waiting, agentName }: SituationFacts): string | null {
  if (task.error_annotation !== null) {
    return sentence(task.error_annotation.message);
  }
  if (task.busy === 'running' && agentName !== undefined) {
    return `${agentName} works on it`;
  }
  if (task.busy !== null) {
    return BUSY_WORDS[task.busy];
  }
  const [first] = waiting?.reasons ?? [];
  // Without auto-assign every queued task would say the same.
  return first === undefined || first.code === 'dispatch_off' ? null : sentence(first.message);
}
