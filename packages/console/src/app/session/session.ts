import type { Session } from '@mneme/client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { en } from '../../text/en.ts';
import { browserSession } from '../client.ts';
import { actAs, endActing, identityOf } from './identity.ts';

export const sessionKey = ['session'] as const;
const browserPollMs = 5_000;

/** Whom this page acts for. It stays the same when the session ends, or somebody else signs in in another tab. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal, client }) => {
    const found = await browserSession.get({ signal });
    const known = client.getQueryData<Session>(sessionKey);
    if (known && identityOf(known) !== identityOf(found)) {
      endActing();
      return known;
    }
    if (!known) actAs(identityOf(found));
    return found;
  },
  staleTime: 60_000,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Whom the browser acts for now, looked at again and again where one signs in. */
export const browserSessionQuery = queryOptions({
  queryKey: ['browser-session'],
  queryFn: ({ signal }) => browserSession.get({ signal }),
  refetchInterval: browserPollMs,
  refetchIntervalInBackground: true,
  // A repetition would wait for the page to have the focus, which it never has for queries while one has to sign in.
  retry: false,
  staleTime: 0,
  gcTime: 0,
});

/** Whom this page acts for. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** Whether there is anything to see. */
export function isAdmitted({ signed_in_as, memory_is_open }: Session): boolean {
  return signed_in_as !== null || memory_is_open;
}

/** What a caller who is signed in is called. */
export function callerName({ key, user_id }: Session): string {
  return key ? en.shell.key(key.id) : en.shell.user(user_id ?? 0);
}
