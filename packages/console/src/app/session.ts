import type { Session } from '@mneme/client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { mneme } from './client.ts';

export const sessionKey = ['session'] as const;

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => mneme.session.get({ signal }),
  staleTime: 60_000,
});

/** Whom this browser acts for. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** Whether there is anything to see. */
export function isAdmitted({ signed_in_as, memory_is_open }: Session): boolean {
  return signed_in_as !== null || memory_is_open;
}
