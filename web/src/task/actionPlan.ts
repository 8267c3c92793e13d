import type { Action, NeedsPerson, StateKind, Task, WorkflowView } from '../api/types';
import { humanize } from '../ui/words';
import { askedParameters } from './actionBody';
import { ACTION_LOOKS, type ActionRole } from './actionRoles';
import type { Meaning } from './meanings';

/** An action of the server as the page offers it. */
export interface PlannedAction {
  id: string;
  role: ActionRole;
  action: Action;
  label: string;
  /** Asks for parameters, or for confirmation, before it is done. */
  asks: boolean;
}

/** One button, a menu, and the dangerous entries apart. */
export interface ActionPlan {
  primary: PlannedAction | null;
  /** Filled with ink; otherwise it took the place of a primary action that is not offered. */
  isPrimaryInk: boolean;
  menu: readonly PlannedAction[];
  /** Moves that have no better name. */
  moves: readonly PlannedAction[];
  dangerous: readonly PlannedAction[];
}

export interface PlanFacts {
  task: Task;
  workflow: WorkflowView;
  meaning: Meaning;
  person?: NeedsPerson | undefined;
}

/** The primary actions of each meaning in order of preference; the first that is offered is filled with ink. */
const PRIMARY: Readonly<Record<Meaning, readonly ActionRole[]>> = {
  queued: ['start'],
  working: [],
  'needs-you': ['answer', 'approve', 'retry', 'start', 'accept-landed', 'send-back'],
  checking: [],
  landing: [],
  landed: [],
  failed: ['retry', 'update-branch'],
  held: [],
  ended: [],
};

/** What takes the place of a missing primary action, as a secondary button. */
const INSTEAD: Readonly<Record<Meaning, readonly ActionRole[]>> = {
  queued: ['move', 'assign-coder'],
  working: ['stop', 'send-back'],
  'needs-you': ['update-branch', 'move', 'assign-coder'],
  checking: ['send-back', 'approve-anyway'],
  landing: ['send-back', 'move'],
  landed: [],
  failed: ['start', 'send-back', 'approve-anyway', 'move'],
  held: ['start', 'assign-coder', 'move'],
  ended: [],
};

/** Reasons whose cure is to bring the target into the branch. */
const OUT_OF_DATE: ReadonlySet<string> = new Set(['merge_conflict', 'merge_checks_failed', 'reverts_landed']);

/** Sorts what the server offers (T-11) by what it means now. */
export function planActions(offered: readonly Action[], facts: PlanFacts): ActionPlan {
  const planned = withoutTwins(offered.flatMap((action) => planAction(action, facts) ?? []));
  const preferred =
    facts.person !== undefined && OUT_OF_DATE.has(facts.person.reason)
      ? (['update-branch', ...PRIMARY[facts.meaning]] as const)
      : PRIMARY[facts.meaning];
  const ink = firstOf(planned, preferred);
  const primary = ink ?? firstOf(planned, INSTEAD[facts.meaning]);
  const rest = planned.filter((one) => one !== primary);
  const isDangerous = ({ role }: PlannedAction) => ACTION_LOOKS[role].isDangerous;
  return {
    primary,
    isPrimaryInk: ink !== null,
    menu: rest.filter((one) => one.role !== 'move' && !isDangerous(one)).toSorted(byPlace),
    moves: rest.filter(({ role }) => role === 'move'),
    dangerous: rest.filter(isDangerous).toSorted(byPlace),
  };
}

/** The server offers some things twice: as a move and as an answer to the review. One of each is enough. */
function withoutTwins(planned: readonly PlannedAction[]): PlannedAction[] {
  const has = (role: ActionRole, name: string) => planned.some((one) => one.role === role && one.action.name === name);
  const hasLanding = has('approve', 'transition');
  const hasRejection = has('send-back', 'reject');
  return planned.flatMap((one) => {
    if (one.role === 'approve' && one.action.name === 'approve' && hasLanding) {
      return [];
    }
    if (one.role === 'send-back' && one.action.name === 'transition' && hasRejection) {
      return [{ ...one, role: 'move' as const, label: `Move to ${humanize(one.action.target ?? '')}` }];
    }
    return [one];
  });
}

function firstOf(planned: readonly PlannedAction[], roles: readonly ActionRole[]): PlannedAction | null {
  for (const role of roles) {
    const found = planned.find((one) => one.role === role);
    if (found !== undefined) {
      return found;
    }
  }
  return null;
}

const ORDER = Object.keys(ACTION_LOOKS);

function byPlace(one: PlannedAction, other: PlannedAction): number {
  return ORDER.indexOf(one.role) - ORDER.indexOf(other.role);
}

function planAction(action: Action, facts: PlanFacts): PlannedAction | null {
  const role = roleOf(action, facts);
  if (role === null) {
    return null;
  }
  const asks = ACTION_LOOKS[role].isDangerous || askedParameters(action).length > 0;
  return {
    id: `${action.name} ${action.path} ${action.target ?? ''}`,
    role,
    action,
    label: labelOf(action, role, facts),
    asks,
  };
}

function kindOfState({ workflow }: PlanFacts, name: string | null): StateKind | undefined {
  return workflow.states.find((state) => state.name === name)?.kind;
}

function roleOf(action: Action, facts: PlanFacts): ActionRole | null {
  switch (action.name) {
    case 'claim':
      return 'start';
    case 'transition':
      return roleOfMove(action, facts);
    case 'approve':
      return action.parameters.some(({ required }) => required) ? 'approve-anyway' : 'approve';
    case 'reject':
      return 'send-back';
    case 'assign':
      return action.path.endsWith('/coder') ? 'assign-coder' : 'assign-other';
    case 'comment':
      // The conversation has its own box for comments.
      return null;
    default:
      return action.name in OTHER_ROLES ? (OTHER_ROLES[action.name] ?? null) : 'other';
  }
}

const OTHER_ROLES: Readonly<Record<string, ActionRole>> = {
  answer: 'answer',
  restart: 'retry',
  rebase: 'update-branch',
  stop: 'stop',
  steer: 'steer',
  handoff: 'hand-off',
  edit: 'edit',
  add_dependency: 'depends-on',
  accept_landed: 'accept-landed',
  revert: 'revert',
  regressed: 'report-regression',
  archive: 'archive',
  unarchive: 'unarchive',
  mark_failed: 'mark-failed',
  reset_workspace: 'reset-workspace',
  cancel: 'cancel',
};

function roleOfMove(action: Action, facts: PlanFacts): ActionRole {
  const from = kindOfState(facts, facts.task.status);
  const to = kindOfState(facts, action.target);
  if (to === 'merge' && from === 'gate') {
    return 'approve';
  }
  return to === 'work' && from !== 'queue' ? 'send-back' : 'move';
}

function labelOf(action: Action, role: ActionRole, facts: PlanFacts): string {
  switch (role) {
    case 'start':
      return coderOf(facts.task) === null ? 'Start' : 'Start now';
    case 'move':
      return `Move to ${humanize(action.target ?? '')}`;
    case 'assign-coder':
      return coderOf(facts.task) === null ? 'Choose an agent' : 'Give to another agent';
    case 'assign-other':
      return `Set ${decodeURIComponent(action.path.split('/').at(-1) ?? '')}`;
    case 'answer':
    case 'other':
      return action.label;
    default:
      return ACTION_LOOKS[role].label;
  }
}

/** The agent that is to do the work, if one is set. */
export function coderOf(task: Pick<Task, 'roles'>): string | null {
  return task.roles['coder']?.agent_id ?? null;
}
