import type { Action, ActionParameter, Task } from '../api/types';

/** What was written or ticked, by the parameter's name. */
export type ActionValues = Readonly<Record<string, string | boolean>>;

export type ActionBody =
  | { problems: Readonly<Record<string, string>> }
  | { problems: null; body: Readonly<Record<string, unknown>> };

const VERSION = 'version';
const STATUS = 'status';

/** The parameters a person is asked for: not those that the page knows by itself. */
export function askedParameters(action: Action): ActionParameter[] {
  return action.parameters.filter(({ name }) => name !== VERSION && !(name === STATUS && action.target !== null));
}

/** The request body for an action, or what is wrong with the values. */
export function actionBody(action: Action, task: Pick<Task, 'version'>, values: ActionValues): ActionBody {
  const body: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  if (action.target !== null) {
    body[STATUS] = action.target;
  }
  if (action.target !== null || action.parameters.some(({ name }) => name === VERSION)) {
    body[VERSION] = task.version;
  }
  for (const parameter of askedParameters(action)) {
    const value = values[parameter.name] ?? '';
    if (parameter.kind === 'boolean') {
      body[parameter.name] = value === true;
      continue;
    }
    const text = String(value).trim();
    if (text === '') {
      if (parameter.required) {
        problems[parameter.name] = 'This is needed.';
      }
    } else if (parameter.kind !== 'integer') {
      body[parameter.name] = text;
    } else if (/^[+-]?\d{1,15}$/.test(text)) {
      body[parameter.name] = Number(text);
    } else {
      problems[parameter.name] = 'Write a whole number.';
    }
  }
  return Object.keys(problems).length > 0 ? { problems } : { problems: null, body };
}
