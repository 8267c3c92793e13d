import { type Key, keys } from './keys';
import type { Event, EventType } from './types';

/** Where an event happened. */
export type EventPlace = Pick<Event, 'project_id' | 'task_id'>;

/**
 * What an event does to the cache: `card` asks for one task and puts it into every list that shows it; `stale` marks
 * an answer, which is asked for again if it is on the screen.
 */
export type CacheEffect = { kind: 'card'; task: string; project: string } | { kind: 'stale'; key: Key };

type Effects = (place: EventPlace) => readonly CacheEffect[];

const stale = (...staleKeys: readonly Key[]): CacheEffect[] => staleKeys.map((key) => ({ kind: 'stale', key }));
const projectOf = (place: EventPlace) => place.project_id ?? undefined;
const taskOf = (place: EventPlace) => place.task_id ?? undefined;

const combine =
  (...parts: readonly Effects[]): Effects =>
  (place) =>
    parts.flatMap((part) => part(place));

const nothing: Effects = () => [];

/** The task on its board and on its own page, with what can be done with it now. */
const card: Effects = (place) =>
  place.task_id === null || place.project_id === null
    ? stale(
        keys.tasks(projectOf(place)),
        keys.firstTasks(projectOf(place)),
        keys.task(taskOf(place)),
        keys.actions(taskOf(place)),
      )
    : [{ kind: 'card', task: place.task_id, project: place.project_id }, ...stale(keys.actions(place.task_id))];

/** Why tasks wait. An agent that is free again can be what another task waited for. */
const waiting: Effects = (place) => stale(keys.waiting(projectOf(place)), keys.why(), keys.needsPerson());
const workspace: Effects = (place) => stale(keys.workspace(taskOf(place)), keys.diff(taskOf(place)));
const steps: Effects = (place) => stale(keys.effects(taskOf(place)));
const journal: Effects = (place) => stale(keys.journal(taskOf(place)));
const conflicts: Effects = combine(waiting, (place) => stale(keys.conflicts(projectOf(place))));
const train: Effects = (place) => stale(keys.train(projectOf(place)));
const execution: Effects = combine(card, steps, waiting, (place) =>
  stale(keys.executions(taskOf(place)), keys.usage(taskOf(place)), keys.agentsCheck()),
);
const review: Effects = combine(card, steps, waiting, (place) => stale(keys.reviews(taskOf(place))));
const merge: Effects = combine(card, workspace, steps, train, waiting);
const agents: Effects = combine(waiting, () => stale(keys.agents(), keys.agentsCheck()));
const counts: Effects = (place) => stale(keys.counts(projectOf(place)));
const projects: Effects = (place) =>
  stale(
    keys.projects(),
    keys.repos(projectOf(place)),
    keys.remote(projectOf(place)),
    keys.members(projectOf(place)),
    keys.workflow(projectOf(place)),
  );
/** Pausing changes what can be done with any task. */
const allowed: Effects = () => stale(keys.actions());

/** What each event changes in the cache. A type of event without a line does not compile. */
export const eventEffects: Readonly<Record<EventType, Effects>> = {
  'task.created': combine(card, counts, waiting, () => stale(keys.subtasks())),
  // Dependents show the state of what they wait for, and parents that of their parts.
  'task.transitioned': combine(card, counts, workspace, steps, waiting, (place) =>
    stale(keys.transitions(taskOf(place)), keys.dependencies(), keys.subtasks()),
  ),
  'task.adopted': combine(card, counts, waiting, (place) =>
    stale(keys.transitions(taskOf(place)), keys.dependencies()),
  ),
  'task.updated': combine(card, waiting, (place) =>
    stale(keys.dependencies(taskOf(place)), keys.prompt(taskOf(place))),
  ),
  'task.annotated': combine(card, waiting),
  'task.archived': combine(card, counts, waiting),
  'task.unarchived': combine(card, counts, waiting),
  'task.assigned': combine(card, waiting),
  'task.deleted': combine(waiting, (place) =>
    stale(keys.tasks(projectOf(place)), keys.firstTasks(projectOf(place)), keys.task(taskOf(place)), keys.subtasks()),
  ),
  'task.unassigned': combine(card, waiting),
  'task.handed_off': combine(card, waiting, (place) => stale(keys.transitions(taskOf(place)))),
  'task.submitted': card,
  'task.unpassed': combine(card, waiting),
  // They come with the events that change the task.
  'task.needs_person': nothing,
  'task.landed': nothing,
  'task.failed': nothing,
  'task.stopping': combine(card, steps, waiting),
  'task.stopped': combine(card, steps, waiting),
  'dependency.added': combine(card, waiting, (place) => stale(keys.dependencies(taskOf(place)))),
  'dependency.removed': combine(card, waiting, (place) => stale(keys.dependencies(taskOf(place)))),
  'review.judged': review,
  'review.approved': review,
  'turn.added': combine(card, (place) => stale(keys.subtasks(taskOf(place)))),
  'turns.begun': combine(card, waiting),
  'turns.ending': combine(card, steps, waiting),
  'turns.ended': combine(card, steps, waiting),
  'execution.created': execution,
  'execution.postponed': execution,
  'execution.steered': card,
  'task.planned': card,
  'question.asked': combine(card, waiting),
  'question.answered': combine(card, waiting),
  'question.received': card,
  'questions.awaited': combine(card, waiting),
  'questions.closed': combine(card, waiting),
  'execution.started': combine(execution, workspace),
  'execution.finished': combine(execution, workspace, journal),
  'execution.stalled': execution,
  'review.started': review,
  'review.checked': review,
  'review.finished': review,
  'merge.started': merge,
  'merge.finished': merge,
  'merge.sent_back': merge,
  'merge.tried_again': merge,
  'merge.exhausted': merge,
  'pull_request.changed': merge,
  'workspace.created': combine(card, workspace),
  'workspace.cleaning': combine(card, steps, waiting),
  'workspace.removing': combine(card, workspace),
  'workspace.cleaned': combine(card, workspace, waiting),
  'workspace.error': combine(card, workspace, waiting),
  'workspace.recovered': combine(card, workspace),
  'workspace.rebasing': combine(card, steps, waiting),
  'workspace.rebased': combine(card, workspace, steps, waiting),
  'workspace.inverted': combine(card, workspace, steps, waiting),
  'task.reverted': card,
  'task.verified': card,
  'task.regressed': card,
  'workspace.reset': combine(workspace, steps, journal),
  'workspace.restored': combine(workspace, journal),
  'journal.recorded': journal,
  'effect.failed': combine(card, steps, waiting),
  'agent.created': agents,
  'agent.updated': agents,
  'agent.removed': combine(agents, () => stale(keys.projects())),
  'agent.paused': combine(agents, allowed),
  'agent.resumed': combine(agents, allowed),
  'project.created': projects,
  'project.updated': combine(projects, waiting),
  'project.removed': combine(projects, agents),
  'project.paused': combine(projects, allowed, waiting),
  'project.resumed': combine(projects, allowed, waiting),
  'project.member_added': projects,
  'project.member_removed': projects,
  // No page shows webhooks.
  'webhook.created': nothing,
  'webhook.updated': nothing,
  'webhook.disabled': nothing,
  'webhook.removed': nothing,
  'webhook.ping': nothing,
  'repo.added': combine(projects, waiting),
  'repo.updated': projects,
  'repo.config_accepted': combine(projects, waiting),
  'repo.removed': combine(projects, waiting),
  'dispatch.paused': combine(waiting, () => stale(keys.dispatch())),
  'dispatch.resumed': combine(waiting, () => stale(keys.dispatch())),
  'conflict.detected': conflicts,
  'conflict.cleared': conflicts,
  'train.changed': train,
  'message.sent': nothing,
  'comment.created': (place) => stale(keys.comments(taskOf(place))),
};

/** Every type of event there is. */
export const eventTypes = Object.keys(eventEffects) as readonly EventType[];
