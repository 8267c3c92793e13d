import { type Key, keys } from './keys';
import type { Event, EventType } from './types';

/** What an event tells about where it happened. */
export type Happening = Pick<Event, 'project_id' | 'task_id'>;

type StaleKeys = (happening: Happening) => readonly Key[];

const project = (happening: Happening) => happening.project_id ?? undefined;
const task = (happening: Happening) => happening.task_id ?? undefined;

/** A task as the board and its own page show it. */
const face: StaleKeys = (e) => [keys.tasks(project(e)), keys.task(task(e)), keys.actions(task(e))];
const workspace: StaleKeys = (e) => [keys.workspace(task(e)), keys.diff(task(e))];
const steps: StaleKeys = (e) => [keys.steps(task(e))];
const nothing: StaleKeys = () => [];
const together =
  (...parts: readonly StaleKeys[]): StaleKeys =>
  (e) =>
    parts.flatMap((part) => part(e));

/** Who waits and why. An agent that is free again, or a task that is in, can be what another one waited for. */
const line: StaleKeys = () => [keys.waiting(), keys.why()];
/** Two branches began to clash or stopped; a task may wait for that. */
const conflicts: StaleKeys = (e) => [keys.conflicts(project(e)), ...line(e)];

const execution: StaleKeys = together(face, steps, line, (e) => [keys.executions(task(e))]);
const review: StaleKeys = together(face, steps, (e) => [keys.reviews(task(e))]);
const train: StaleKeys = (e) => [keys.train(project(e))];
const merge: StaleKeys = together(face, workspace, steps, train);
const agents: StaleKeys = () => [keys.agents()];
const projects: StaleKeys = (e) => [
  keys.projects(),
  keys.project(project(e)),
  keys.repos(project(e)),
  keys.workflow(project(e)),
];
/** Pausing changes what can be done with any task. */
const allowed: StaleKeys = () => [keys.actions()];

/** Which cached answers each event makes stale. A type of event without a line does not compile. */
export const staleness: Readonly<Record<EventType, StaleKeys>> = {
  'task.created': together(line, (e) => [keys.tasks(project(e)), keys.subtasks()]),
  // Dependents show the state of what they wait for, and parents that of their parts, so theirs are stale too.
  'task.transitioned': together(face, workspace, steps, line, (e) => [
    keys.transitions(task(e)),
    keys.dependencies(),
    keys.subtasks(),
  ]),
  'task.adopted': together(face, line, (e) => [keys.transitions(task(e)), keys.dependencies()]),
  'task.updated': together(face, line, (e) => [keys.dependencies(task(e))]),
  'task.annotated': together(face, line),
  'task.archived': together(face, line),
  'task.unarchived': together(face, line),
  'task.assigned': together(face, line),
  'task.handed_off': together(face, line, (e) => [keys.transitions(task(e))]),
  'task.submitted': face,
  'task.unpassed': face,
  'task.stopping': together(face, steps),
  'task.stopped': together(face, steps, line),
  'dependency.added': together(face, line, (e) => [keys.dependencies(task(e))]),
  'dependency.removed': together(face, line, (e) => [keys.dependencies(task(e))]),
  'review.judged': review,
  'review.approved': review,
  'turn.added': together(face, (e) => [keys.subtasks(task(e))]),
  'turns.begun': face,
  'turns.ending': together(face, steps),
  'turns.ended': together(face, steps),
  'execution.created': execution,
  'execution.postponed': execution,
  'execution.steered': face,
  'execution.started': together(execution, workspace),
  'execution.finished': together(execution, workspace),
  'execution.stalled': execution,
  'review.started': review,
  'review.checked': review,
  'review.finished': review,
  'merge.started': merge,
  'merge.finished': merge,
  'pull_request.changed': merge,
  'workspace.created': together(face, workspace),
  'workspace.cleaning': together(face, steps),
  'workspace.leaving': together(face, workspace),
  'workspace.cleaned': together(face, workspace),
  'workspace.error': together(face, workspace),
  'workspace.recovered': together(face, workspace),
  'workspace.rebasing': together(face, steps),
  'workspace.rebased': together(face, workspace, steps),
  'workspace.inverted': together(face, workspace, steps),
  'task.reverted': face,
  'task.verified': face,
  'task.regressed': face,
  'workspace.reset': together(workspace, steps),
  'workspace.restored': workspace,
  'journal.recorded': nothing,
  'step.failed': together(face, steps),
  'agent.created': together(agents, line),
  'agent.updated': together(agents, line),
  'agent.paused': together(agents, allowed, line),
  'agent.resumed': together(agents, allowed, line),
  'project.created': projects,
  'project.updated': together(projects, line),
  'project.paused': together(projects, allowed, line),
  'project.resumed': together(projects, allowed, line),
  'project.member_added': projects,
  'project.member_removed': projects,
  'repo.added': together(projects, line),
  'repo.updated': projects,
  'repo.removed': together(projects, line),
  'dispatch.paused': line,
  'dispatch.resumed': line,
  'conflict.detected': conflicts,
  'conflict.cleared': conflicts,
  'train.changed': train,
  'message.sent': nothing,
  'comment.created': (e) => [keys.comments(task(e))],
};

/** Every type of event there is. */
export const eventTypes = Object.keys(staleness) as readonly EventType[];
