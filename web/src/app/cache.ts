import { QueryCache, QueryClient } from '@tanstack/react-query';

import { Failure } from '../api/failure';
import { keys } from '../api/keys';

const ATTEMPTS = 3;

/** The cache of everything the server answered. Events keep it fresh, so nothing is asked for by time. */
export function createCache(): QueryClient {
  const cache: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // Another tab signed out, or the session ran out: ask for the user, which leads to the sign-in page.
        if (error instanceof Failure && error.isUnauthorized && query.queryKey[0] !== keys.me()[0]) {
          void cache.invalidateQueries({ queryKey: keys.me() });
        }
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        // Only what may go away by itself is tried again; a refusal stays one.
        retry: (count, error) =>
          count < ATTEMPTS && error instanceof Failure && (error.status === null || error.status >= 500),
      },
    },
  });
  return cache;
}
