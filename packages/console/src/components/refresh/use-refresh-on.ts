import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { createRefresh, type Refresh } from './create-refresh.ts';

/**
 * Has queries read again when a value changes, but never before they have been read.
 *
 * @param key begins the keys of the queries, and stays the same
 * @param pauseMs the least time between two readings, in milliseconds
 */
export function useRefreshOn(value: unknown, key: QueryKey, pauseMs: number): void {
  const queryClient = useQueryClient();
  const refresh = useRef<Refresh>(undefined);
  const seen = useRef(value);
  const hash = JSON.stringify(key);
  useEffect(() => {
    const queryKey = JSON.parse(hash) as QueryKey;
    const created = createReading(queryClient, queryKey, pauseMs);
    refresh.current = created;
    return () => created.end();
  }, [queryClient, hash, pauseMs]);
  useEffect(() => {
    if (seen.current === value) return;
    seen.current = value;
    refresh.current?.request();
  }, [value]);
}

/** A refresh that reads queries again. @param queryKey begins their keys @param pauseMs between two readings, in milliseconds */
export function createReading(queryClient: QueryClient, queryKey: QueryKey, pauseMs: number): Refresh {
  return createRefresh(() => readAgain(queryClient, queryKey), pauseMs);
}

/** Reads queries that are in use again. What is read for the first time is awaited, and read again only then. */
export async function readAgain(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  const isFirst = queryClient.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0;
  // Joins readings that are the first, which began before the change.
  await queryClient.invalidateQueries({ queryKey });
  if (isFirst) await queryClient.invalidateQueries({ queryKey });
}
