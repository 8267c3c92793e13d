import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Loading } from './Loading';
import { FailureNotice } from './Notice';

interface AnsweredProps<T> {
  what: string;
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** What the server answered, or why there is nothing to see yet. Old data stays visible beside a failure. */
export function Answered<T>({ what, query, children }: AnsweredProps<T>) {
  return (
    <>
      <FailureNotice failure={query.error} />
      {query.data === undefined ? query.error === null ? <Loading what={what} /> : null : children(query.data)}
    </>
  );
}
