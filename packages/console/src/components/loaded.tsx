import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { ProblemAlert } from './problem.tsx';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** Shows what has been read. */
  readonly children: (data: Data) => ReactNode;
}

/** What a query has read. If reading it again fails, it stays below the reason, with what is typed in it. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const { data, isPending, error, refetch } = query;
  return (
    <>
      {isPending && <Loading />}
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && children(data)}
    </>
  );
}
