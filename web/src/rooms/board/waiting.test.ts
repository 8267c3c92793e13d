import { describe, expect, it } from 'vitest';

import type { TaskWaiting } from '../../api/types';
import { waitingBadge } from './waiting';

type Reason = TaskWaiting['reasons'][number];

const reason = (code: Reason['code']): Reason => ({ code, message: `because of ${code}`, subjects: [] });
const waiting = (reasons: Reason[], place: number | null = null) => ({ reasons, place }) as TaskWaiting;

describe('E-10: a card says why its task waits', () => {
  it('by its first reason, with all of them on hover', () => {
    expect(waitingBadge(waiting([reason('project_paused'), reason('no_agent')]))).toEqual({
      text: 'Project paused',
      title: 'because of project_paused\nbecause of no_agent',
      needsHand: true,
    });
  });

  it('and tells what goes on by itself from what does not', () => {
    expect(waitingBadge(waiting([reason('agent_at_capacity')]))?.needsHand).toBe(false);
    expect(waitingBadge(waiting([reason('disk_low')]))?.needsHand).toBe(true);
  });

  it('with its place in line', () => {
    expect(waitingBadge(waiting([reason('next_in_line')], 1))?.text).toBe('Next in line');
    expect(waitingBadge(waiting([reason('next_in_line')], 3))?.text).toBe('Number 3 in line');
  });

  it('and nothing where it does not wait, or nobody asked for agents', () => {
    expect(waitingBadge(undefined)).toBeNull();
    expect(waitingBadge(waiting([]))).toBeNull();
    expect(waitingBadge(waiting([reason('project_paused'), reason('dispatch_off')]))).toBeNull();
  });
});
