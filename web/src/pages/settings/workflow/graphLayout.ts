import type { StateView, WorkflowView } from '../../../api/types';

export const NODE = { width: 132, height: 46, gapX: 40, gapY: 64 } as const;

/** Where a state is drawn. */
export interface GraphNode {
  state: StateView;
  x: number;
  y: number;
}

/** All ways from one state to another. */
export interface GraphEdge {
  from: GraphNode;
  to: GraphNode;
  /** The way of work that goes well; all others are detours. */
  isForward: boolean;
  /** What leads there: `reject`, `conflict`. */
  labels: readonly string[];
}

type Targets = StateView['targets'];

/** Where work that goes well leads, by the name of the edge. */
const forwardEdges = ({ claim, done, pass, merged }: Targets) => Object.entries({ claim, done, pass, merged });

/** Where work that fails leads. */
const detours = ({ failed, reject, exhausted, conflict, rejected }: Targets) =>
  Object.entries({ failed, reject, exhausted, conflict, rejected });

/** The states on the way from the first to the landing in one row, the others in a row below. */
export function layOutWorkflow({ states, initial }: Pick<WorkflowView, 'states' | 'initial'>) {
  const row = mainRow(new Map(states.map((state) => [state.name, state])), initial);
  const rest = states.filter((state) => !row.includes(state));
  const indent = Math.max(0, row.length - rest.length);
  const place = (state: StateView, column: number, line: number): GraphNode => ({
    state,
    x: column * (NODE.width + NODE.gapX),
    y: NODE.gapY / 2 + line * (NODE.height + NODE.gapY),
  });
  const nodes = [
    ...row.map((state, column) => place(state, column, 0)),
    ...rest.map((state, column) => place(state, column + indent, 1)),
  ];
  const nodeOf = new Map(nodes.map((node) => [node.state.name, node]));
  return {
    nodes,
    edges: nodes.flatMap((from) => edgesFrom(from, nodeOf)),
    width: Math.max(row.length, rest.length) * (NODE.width + NODE.gapX) - NODE.gapX,
    height: (rest.length === 0 ? 1 : 2) * (NODE.height + NODE.gapY),
  };
}

/** Follows the forward edges; out of a queue that nothing claims from, the next state by hand. */
function mainRow(byName: ReadonlyMap<string, StateView>, initial: string): StateView[] {
  const row: StateView[] = [];
  let state = byName.get(initial);
  while (state !== undefined && !row.includes(state)) {
    row.push(state);
    const byHand = state.targets.manual.map((name) => byName.get(name)).find((next) => next && forwardOf(next));
    state = byName.get(forwardOf(state) ?? byHand?.name ?? '');
  }
  return row;
}

function forwardOf({ targets }: StateView): string | undefined {
  return forwardEdges(targets).find(([, name]) => name !== null)?.[1] ?? undefined;
}

function edgesFrom(from: GraphNode, nodeOf: ReadonlyMap<string, GraphNode>): GraphEdge[] {
  const { targets } = from.state;
  const ways = new Map<GraphNode, { isForward: boolean; labels: string[] }>();
  const add = (edges: [string, string | null][], isForward: boolean) => {
    for (const [edge, target] of edges) {
      const to = nodeOf.get(target ?? '');
      if (to !== undefined) {
        const known = ways.get(to) ?? { isForward, labels: [] };
        ways.set(to, { ...known, labels: [...known.labels, edge] });
      }
    }
  };
  add(forwardEdges(targets), true);
  add(detours(targets), false);
  if (ways.size === 0) {
    const isNext = (node: GraphNode | undefined) => node?.y === from.y && node.x === from.x + NODE.width + NODE.gapX;
    const next = targets.manual.map((name) => nodeOf.get(name)).find(isNext);
    if (next !== undefined) {
      ways.set(next, { isForward: true, labels: ['by hand'] });
    }
  }
  return [...ways].map(([to, way]) => ({ from, to, ...way }));
}
