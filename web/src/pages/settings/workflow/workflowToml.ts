import type { StateView, WorkflowView } from '../../../api/types';

type FieldValue = string | number | boolean | readonly string[] | null;

/** A workflow as the file that a person edits. */
export function workflowToml({ name, initial, fault, cancel, states }: WorkflowView): string {
  const head = fieldLines({ name, initial, fault, cancel }).join('\n');
  return `${[head, ...states.map(stateToml)].join('\n\n')}\n`;
}

function stateToml(state: StateView): string {
  const { targets, cleanup, name, kind, phase, role, optional, claimable, outcome } = state;
  const { claim, done, failed, pass, reject, merged, conflict, rejected, exhausted, manual } = targets;
  const lines = fieldLines({
    name,
    kind,
    phase,
    role,
    optional,
    claimable,
    claim_target: claim,
    done,
    failed,
    pass,
    reject,
    merged,
    conflict,
    rejected,
    exhausted,
    max_attempts: state.max_attempts,
    auto_advance: state.auto_advance,
    outcome,
    cleanup: cleanup?.mode ?? null,
    cleanup_seconds: cleanup?.mode === 'delayed' ? cleanup.after_seconds : null,
    manual,
  });
  return ['[[state]]', ...lines].join('\n');
}

/** A field that says nothing, such as a flag that is off, is left out. */
function fieldLines(fields: Readonly<Record<string, FieldValue>>): string[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    value === null || value === false || (Array.isArray(value) && value.length === 0)
      ? []
      : // A string, a number, a flag and a list of strings are written in TOML as in JSON.
        [`${key} = ${JSON.stringify(value).replaceAll('","', '", "')}`],
  );
}

/** The line of a place such as `state[3].pass`, from 1; null if the text has no such place. */
export function lineOfPlace(source: string, place: string): number | null {
  const lines = source.split('\n');
  const heads = lines.flatMap((line, index) => (/^\s*\[\[\s*state\s*\]\]/.test(line) ? [index] : []));
  const state = /^state\[(\d+)\](?:\.(\w+))?/.exec(place);
  const from = state === null ? 0 : heads[Number(state[1])];
  if (from === undefined) {
    return null;
  }
  const until = heads.find((head) => head > from) ?? lines.length;
  const key = state === null ? place : state[2];
  const within = lines.slice(from, until).findIndex((line) => /^\s*"?([\w-]+)"?\s*=/.exec(line)?.[1] === key);
  if (within >= 0) {
    return from + within + 1;
  }
  return state === null ? null : from + 1;
}
