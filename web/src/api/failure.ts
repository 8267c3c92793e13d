import type { ErrorBody } from './types';

/** An answer that is not a success, or no answer at all. Its message is meant to be shown. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    message: string,
    /** The HTTP status; null when the server could not be reached. */
    readonly status: number | null,
    /** The server's error body; null when something else answered. */
    readonly body: ErrorBody | null,
  ) {
    super(message);
  }

  /** The session is missing or has ended. */
  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  /** Reads what was answered; a proxy in between may have answered something that is not ours. */
  static fromAnswer(status: number, body: unknown): Failure {
    if (isErrorBody(body)) {
      return new Failure(body.message, status, body);
    }
    return new Failure(`The server answered with status ${status} and no explanation. Try again.`, status, null);
  }

  static fromUnreachable(): Failure {
    return new Failure(
      'The server cannot be reached. Check that `forge serve` is running, then try again.',
      null,
      null,
    );
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'message' in body &&
    typeof body.message === 'string'
  );
}
