import { Failure } from '../../../api/failure';
import { lineOfPlace } from './workflowToml';

/** One mistake in a workflow, with its line in the text. */
export interface WorkflowProblem {
  line: number | null;
  message: string;
}

/** The mistakes that the server found in the text; none if it refused for another reason. */
export function problemsOf(failure: Error | null, source: string): WorkflowProblem[] {
  if (!(failure instanceof Failure) || failure.body?.code !== 'invalid_workflow') {
    return [];
  }
  const { problems } = asRecord(failure.body.details);
  return (Array.isArray(problems) ? problems : []).map((one: unknown) => {
    const { place, message } = asRecord(one);
    const where = typeof place === 'string' ? place : '';
    return { line: lineOfPlace(source, where), message: `${where === '' ? '' : `${where}: `}${String(message)}` };
  });
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
