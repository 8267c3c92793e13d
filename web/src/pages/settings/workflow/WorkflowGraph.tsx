import type { StateView, TaskCounts, WorkflowView } from '../../../api/types';
import type { Meaning } from '../../../task/meanings';
import colours from '../../../ui/meaning.module.css';
import { humanize, plural } from '../../../ui/words';
import { type GraphEdge, layOutWorkflow, NODE } from './graphLayout';
import styles from './WorkflowGraph.module.css';

interface WorkflowGraphProps {
  workflow: WorkflowView;
  /** How many tasks each state has now. */
  counts: TaskCounts['states'];
}

/** The states of a workflow with their tasks, and the ways between them. */
export function WorkflowGraph({ workflow, counts }: WorkflowGraphProps) {
  const { nodes, edges, width, height } = layOutWorkflow(workflow);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <section className={styles.scroll} aria-label={`Graph of the workflow ${workflow.name}`} tabIndex={0}>
      <svg width={width + 4} height={height} viewBox={`-2 0 ${width + 4} ${height}`} aria-hidden="true">
        <marker id="workflow-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0 L8 4 L0 8 z" className={styles.arrow} />
        </marker>
        {edges.map((edge) => (
          <path
            key={`${edge.from.state.name} ${edge.to.state.name}`}
            d={pathOf(edge)}
            className={edge.isForward ? styles.forward : styles.detour}
            markerEnd="url(#workflow-arrow)"
          >
            <title>{edge.labels.join(', ')}</title>
          </path>
        ))}
        {nodes.map(({ state, x, y }) => (
          <g key={state.name} transform={`translate(${x} ${y})`} className={colours[meaningOf(state)]}>
            <rect width={NODE.width} height={NODE.height} rx={8} className={styles.box} />
            <circle cx={14} cy={16} r={4} className={styles.dot} />
            <text x={26} y={20} className={styles.name}>
              {shortened(humanize(state.name))}
            </text>
            <text x={26} y={36} className={styles.kind}>
              {state.role ?? state.kind}
            </text>
            <text x={NODE.width - 10} y={20} textAnchor="end" className={styles.count}>
              {counts[state.name] ?? 0}
            </text>
          </g>
        ))}
      </svg>
      <ul className="visually-hidden">
        {nodes.map(({ state }) => (
          <li key={state.name}>
            {humanize(state.name)}, {state.kind}, {plural(counts[state.name] ?? 0, 'task')}
            {edges
              .filter(({ from }) => from.state === state)
              .map(({ to, labels }) => `, ${labels.join(' and ')} leads to ${humanize(to.state.name)}`)
              .join('')}
          </li>
        ))}
      </ul>
    </section>
  );
}

const LONGEST_NAME = 13;

function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

function meaningOf({ kind, outcome }: StateView): Meaning {
  switch (kind) {
    case 'queue':
      return 'queued';
    case 'work':
      return 'working';
    case 'gate':
      return 'checking';
    case 'merge':
      return 'landing';
    case 'hold':
      return 'needs-you';
    case 'terminal':
      return outcome === 'success' ? 'landed' : outcome === 'failure' ? 'failed' : 'ended';
  }
}

/** A line to a neighbour, an arc above the row for a way back, a curve between the rows. */
function pathOf({ from, to }: GraphEdge): string {
  const { width, height, gapX } = NODE;
  const [x1, x2] = [from.x + width / 2, to.x + width / 2];
  if (from.y !== to.y) {
    const isDown = to.y > from.y;
    const [y1, y2] = isDown ? [from.y + height, to.y] : [from.y, to.y + height];
    const middle = (y1 + y2) / 2;
    return `M${x1} ${y1} C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
  }
  if (to.x === from.x + width + gapX) {
    return `M${from.x + width} ${from.y + height / 2} H${to.x}`;
  }
  const top = from.y - 26;
  return `M${x1} ${from.y} C${x1} ${top} ${x2} ${top} ${x2} ${to.y}`;
}
