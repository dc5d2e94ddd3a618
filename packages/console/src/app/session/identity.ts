import type { Session } from '@mneme/client';
import { useSyncExternalStore } from 'react';

/** Whom this page acts for; undefined until the server has said so. Somebody else may sign in in another tab. */
let acting: string | undefined;
let over = new AbortController();
const listeners = new Set<() => void>();

/** The caller of a session as the server names it: `user:7`, `key:3`, or `public` for no one. */
export function identityOf({ signed_in_as, user_id, key }: Session): string {
  if (signed_in_as === null) return 'public';
  return key ? `key:${key.id}` : `user:${user_id}`;
}

export function identity(): string | undefined {
  return acting;
}

/** @param next as `identityOf` names it */
export function actAs(next: string): void {
  if (next === acting && !over.signal.aborted) return;
  over.abort();
  over = new AbortController();
  acting = next;
  for (const listener of listeners) listener();
}

/** Notes that the session of this page has ended, or that the browser acts for somebody else. */
export function endActing(): void {
  over.abort();
  for (const listener of listeners) listener();
}

/**
 * For work of several requests, which must not go on for somebody else. A session that the same caller opens anew is no end.
 * @returns to be called before each further request
 * @throws DOMException `AbortError` from what is returned, when the page acts for another caller than when the work began
 */
export function guardCaller(): () => void {
  const caller = acting;
  return () => {
    if (acting !== caller) throw new DOMException('The page acts for another caller now', 'AbortError');
  };
}

/** Aborted when this page ceases to act for whom it acts for now. */
export function untilOver(): AbortSignal {
  return over.signal;
}

/** Whether somebody has to sign in before this page can go on. */
export function useIsOver(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => over.signal.aborted,
  );
}

/**
 * Has the server refuse requests if the browser's session is not that of a caller.
 * @param expected as `identityOf` names it, asked for each request; undefined: any caller
 */
export function fetchAs(expected: () => string | undefined, send: typeof fetch = (...given) => fetch(...given)) {
  const fetchAsExpected: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    const caller = expected();
    if (caller !== undefined) headers.set('mneme-console', caller);
    return send(input, { ...init, headers });
  };
  return fetchAsExpected;
}
