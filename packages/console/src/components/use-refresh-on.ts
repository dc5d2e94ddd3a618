import { type QueryKey, useQueryClient } from '@tanstack/react-query';
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
    const created = createRefresh(() => queryClient.invalidateQueries({ queryKey }), pauseMs);
    refresh.current = created;
    return () => created.end();
  }, [queryClient, hash, pauseMs]);
  useEffect(() => {
    if (seen.current === value) return;
    seen.current = value;
    refresh.current?.request();
  }, [value]);
}
