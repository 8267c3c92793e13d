import { describe, expect, it } from 'vitest';

import type { Task, WorkflowView } from '../../api/types';
import { groupByState, phasesOf } from './columns';

const workflow = {
  states: [
    { name: 'begun', phase: 'working', kind: 'work', outcome: null },
    { name: 'stuck_here', phase: 'working', kind: 'hold', outcome: null },
    { name: 'over', phase: 'done', kind: 'terminal', outcome: 'success' },
  ],
} as unknown as Pick<WorkflowView, 'states'>;
const now = new Date('2026-11-18T12:00:00Z');
const card = (number: number, status: string, over: Partial<Task> = {}) => ({
  task: { number, status, priority: 0, landing: null, updated_at: now.toISOString(), ...over } as Task,
});
const shown = (cards: ReturnType<typeof card>[], phase: 'working' | 'done') =>
  groupByState(workflow, phase, cards, now)
    .filter((group) => group.cards.length > 0)
    .map(({ heading, cards: own }) => [heading, own.map(({ task }) => task.number)]);

describe('F-6: columns are phases with their states inside', () => {
  it('only the phases of the workflow, in the order of all boards', () => {
    expect(phasesOf(workflow)).toEqual(['working', 'done']);
  });

  it('states in the order of the workflow, the most urgent task first', () => {
    const cards = [card(3, 'stuck_here'), card(2, 'begun'), card(1, 'begun', { priority: 5 })];
    expect(shown(cards, 'working')).toEqual([
      ['Begun', [1, 2]],
      ['Stuck here', [3]],
    ]);
  });

  it('a state that the workflow no longer has comes last and stays visible', () => {
    expect(shown([card(1, 'older'), card(2, 'begun')], 'working')).toEqual([
      ['Begun', [2]],
      ['Older', [1]],
    ]);
  });

  it('what landed is divided by day, the latest first', () => {
    const at = (iso: string) => ({ landing: { at: iso } as NonNullable<Task['landing']> });
    const cards = [
      card(1, 'over', at('2026-11-18T08:00:00Z')),
      card(2, 'over', at('2026-11-18T09:00:00Z')),
      card(3, 'over', at('2026-11-10T09:00:00Z')),
    ];
    expect(shown(cards, 'done')).toEqual([
      ['Landed today', [2, 1]],
      ['Landed earlier', [3]],
    ]);
  });
});
