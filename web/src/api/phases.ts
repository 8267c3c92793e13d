import type { Phase } from './types';

/** The phases in the order of all boards. Phases are fixed on the wire; the names of states are not. */
const ORDER: Readonly<Record<Phase, number>> = { backlog: 0, ready: 1, working: 2, review: 3, done: 4 };

export const PHASES = Object.keys(ORDER) as unknown as readonly [Phase, Phase, Phase, Phase, Phase];

/** Not ready to be started yet. */
export const isLater = (phase: Phase): boolean => ORDER[phase] === ORDER.backlog;

/** An agent works on it, or it is reviewed or lands. */
export const isUnderWay = (phase: Phase): boolean => isWorked(phase) || isReviewed(phase);

export const isWorked = (phase: Phase): boolean => ORDER[phase] === ORDER.working;

export const isReviewed = (phase: Phase): boolean => ORDER[phase] === ORDER.review;

export const isFinished = (phase: Phase): boolean => ORDER[phase] === ORDER.done;
