import { describe, expect, it } from 'vitest';

import type { StateView } from '../../../api/types';
import { layOutWorkflow } from './graphLayout';

const NONE = { claim: null, conflict: null, done: null, exhausted: null, failed: null, merged: null, pass: null };
const state = (name: string, targets: Partial<StateView['targets']>) =>
  ({ name, targets: { ...NONE, manual: [], reject: null, rejected: null, ...targets } }) as unknown as StateView;

const STATES = [
  state('backlog', { manual: ['stuck', 'todo'] }),
  state('todo', { claim: 'coding' }),
  state('coding', { done: 'review', failed: 'stuck' }),
  state('review', { pass: 'landing', reject: 'coding', exhausted: 'stuck' }),
  state('landing', { merged: 'landed', conflict: 'coding', rejected: 'coding' }),
  state('stuck', { manual: ['todo'] }),
  state('landed', {}),
];

describe('the graph of a workflow', () => {
  const { nodes, edges } = layOutWorkflow({ states: STATES, initial: 'backlog' });

  it('has the way of work that goes well in one row, the rest below', () => {
    const top = Math.min(...nodes.map(({ y }) => y));
    const row = nodes.filter(({ y }) => y === top).map((node) => node.state.name);
    expect(row).toEqual(['backlog', 'todo', 'coding', 'review', 'landing', 'landed']);
    expect(nodes).toHaveLength(STATES.length);
  });

  it('draws one edge for all ways between two states', () => {
    const between = (from: string, to: string) =>
      edges.filter((edge) => edge.from.state.name === from && edge.to.state.name === to);
    expect(between('landing', 'coding').map(({ labels }) => labels)).toEqual([['conflict', 'rejected']]);
    expect(between('coding', 'review').map(({ isForward }) => isForward)).toEqual([true]);
    expect(between('backlog', 'todo').map(({ labels }) => labels)).toEqual([['by hand']]);
  });
});
