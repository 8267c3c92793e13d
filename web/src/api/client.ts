import createClient from 'openapi-fetch';

import { Failure } from './failure';
import type { paths } from './schema';

/** The typed client. Sessions are cookies, so same-origin requests need nothing else. */
export const client = createClient<paths>({ baseUrl: '', credentials: 'same-origin' });

interface Answered<T> {
  data?: T | undefined;
  error?: unknown;
  response: Response;
}

/** Turns what the client returns into the data or a thrown `Failure`. */
export async function answer<T>(request: Promise<Answered<T>>): Promise<T> {
  const { data, response, error } = await request.catch((cause: unknown) => {
    // fetch rejects with a TypeError when no answer came; an aborted request stays what it is.
    throw cause instanceof TypeError ? Failure.fromUnreachable() : cause;
  });
  if (!response.ok) {
    throw Failure.fromAnswer(response.status, error);
  }
  return data as T;
}
