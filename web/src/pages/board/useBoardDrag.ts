import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { announce } from '@atlaskit/pragmatic-drag-and-drop-live-region';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { actionsQuery } from '../../api/queries';
import type { Phase, Task, WorkflowView } from '../../api/types';
import { statesOf } from './columns';
import { draggedTask, placedStates } from './dragData';
import { type Drop, dropOn } from './moves';

/** A drag under way: which phases take the card, and what is said at the pointer. */
export interface BoardDrag {
  task: Task;
  /** The phase under the pointer. */
  over: Phase | null;
  drop: Drop | null;
  x: number;
  y: number;
}

interface BoardDragHandlers {
  onMove: (task: Task, state: string) => void;
  onStart: (task: Task) => void;
}

/** Follows the drags of the board's cards and does what a drop means. */
export function useBoardDrag(
  workflow: WorkflowView | undefined,
  { onMove, onStart }: BoardDragHandlers,
): BoardDrag | null {
  const cache = useQueryClient();
  const [drag, setDrag] = useState<BoardDrag | null>(null);
  useEffect(() => {
    if (workflow === undefined) {
      return undefined;
    }
    const judge = (task: Task, states: readonly string[]): Drop | null => {
      if (states.length === 0 || states[0] === task.status) {
        return null;
      }
      return dropOn(task, workflow, cache.getQueryData(actionsQuery(task.id).queryKey), states);
    };
    return monitorForElements({
      canMonitor: ({ source }) => draggedTask(source.data) !== null,
      onDragStart: ({ source }) => {
        const task = draggedTask(source.data);
        if (task !== null) {
          void cache.prefetchQuery(actionsQuery(task.id));
        }
      },
      onDrag: ({ source, location }) => {
        const task = draggedTask(source.data);
        if (task === null) {
          return;
        }
        const { dropTargets, input } = location.current;
        const states = placedStates(dropTargets);
        const over = workflow.states.find(({ name }) => name === states[0])?.phase ?? null;
        setDrag({ task, over, drop: judge(task, states), x: input.clientX, y: input.clientY });
      },
      onDrop: ({ source, location }) => {
        setDrag(null);
        const task = draggedTask(source.data);
        const drop = task === null ? null : judge(task, placedStates(location.current.dropTargets));
        if (task === null || drop === null) {
          return;
        }
        switch (drop.kind) {
          case 'move':
            onMove(task, drop.state);
            break;
          case 'start':
            onStart(task);
            break;
          case 'refused':
            announce(drop.reason);
            break;
        }
      },
    });
  }, [cache, workflow, onMove, onStart]);
  return drag;
}

/** Whether any state of a phase takes the dragged card. */
export function phaseTakes(drag: BoardDrag, workflow: WorkflowView, phase: Phase): boolean {
  const states = statesOf(workflow, phase).map(({ name }) => name);
  return states.includes(drag.task.status) || dropOn(drag.task, workflow, undefined, states).kind !== 'refused';
}
