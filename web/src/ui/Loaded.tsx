import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { FailureNotice } from './Notice';
import { Skeleton } from './Skeleton';

interface LoadedProps<T> {
  /** What is asked for, for screen readers. */
  what: string;
  query: UseQueryResult<T, Error>;
  children: (data: T) => ReactNode;
}

/** The answer to a query, grey bars until it comes, and why it did not. Old data stays visible beside a failure. */
export function Loaded<T>({ what, query, children }: LoadedProps<T>) {
  return (
    <>
      <FailureNotice failure={query.error} />
      {query.data !== undefined ? children(query.data) : query.error === null ? <Skeleton what={what} /> : null}
    </>
  );
}
