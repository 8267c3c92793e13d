import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';

import { PHASES } from '../../api/phases';
import { taskCountsQuery, tasksQuery, workflowQuery } from '../../api/queries';
import type { Phase, Project, TaskPage, WorkflowView } from '../../api/types';
import type { BoardSearch } from '../../app/search';
import { type SituatedTask, useSituations } from '../../task/useSituations';
import { phasesOf } from './columns';

/** One column's tasks, as far as they were asked for. */
export interface BoardColumn {
  phase: Phase;
  /** All that were loaded, whatever their meaning. */
  all: readonly SituatedTask[];
  /** Those that match the meaning in the address. */
  cards: readonly SituatedTask[];
  /** How many there are, with `+` where only those that were loaded are known. */
  count: string;
  isLoading: boolean;
  hasMore: boolean;
  loadMore: () => void;
}

export interface BoardData {
  workflow: WorkflowView | undefined;
  columns: readonly BoardColumn[];
  isLoading: boolean;
  failure: Error | null;
}

/** The board of a project: each phase is a list of its own, so that a long one does not hide the others. */
export function useBoard(project: Project, search: BoardSearch): BoardData {
  const workflow = useQuery(workflowQuery(project.id));
  const situate = useSituations(project.id, workflow.data);
  const lists = [
    usePhase(project.id, PHASES[0], search),
    usePhase(project.id, PHASES[1], search),
    usePhase(project.id, PHASES[2], search),
    usePhase(project.id, PHASES[3], search),
    usePhase(project.id, PHASES[4], search),
  ];
  const counts = useQuery(taskCountsQuery(project.id)).data?.phases;
  const isFiltered = [search.text, search.label, search.agent, search.meaning].some((one) => one !== undefined);
  const phases = workflow.data === undefined ? [] : phasesOf(workflow.data);
  const columns = phases.flatMap((phase): BoardColumn[] => {
    const list = lists[PHASES.indexOf(phase)];
    if (list === undefined) {
      return [];
    }
    const all = (list.data?.tasks ?? []).map(situate);
    const cards =
      search.meaning === undefined ? all : all.filter(({ situation }) => situation.meaning === search.meaning);
    const isKnown = list.hasNextPage && !isFiltered && counts !== undefined;
    const column: BoardColumn = {
      phase,
      all,
      cards,
      count: isKnown ? counts[phase].toLocaleString('en') : `${cards.length}${list.hasNextPage ? '+' : ''}`,
      isLoading: list.isPending,
      hasMore: list.hasNextPage,
      loadMore: () => {
        if (!list.isFetchingNextPage) {
          void list.fetchNextPage();
        }
      },
    };
    return [column];
  });
  return {
    workflow: workflow.data,
    columns,
    isLoading: workflow.isPending || columns.some(({ isLoading }) => isLoading),
    failure: workflow.error ?? lists.find(({ error }) => error !== null)?.error ?? null,
  };
}

function usePhase(project: string, phase: Phase, { text, label, agent }: BoardSearch) {
  return useInfiniteQuery({
    ...tasksQuery(project, { phase, text, label, agent }),
    select: flatten,
  });
}

function flatten(data: InfiniteData<TaskPage, string | null>) {
  return { tasks: data.pages.flatMap(({ items }) => items) };
}
