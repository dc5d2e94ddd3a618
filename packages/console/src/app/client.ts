import { Mneme } from '@mneme/client';
import { fetchAs, identity } from './session/identity.ts';

/** How long a request may take, in milliseconds. */
const timeoutMs = 130_000;
const options = { baseUrl: location.origin, useSession: true, retries: 0, timeoutMs };

/**
 * Acts for whom this page acts for. Queries repeat what failed, and the banner says when the connection is lost, so that
 * nothing waits for repetitions that no one sees.
 */
export const mneme = new Mneme({ ...options, fetch: fetchAs(identity) });

/** The session of the browser, whichever user the page acts for. */
export const browserSession = new Mneme(options).session;

/** A client for work that goes on for a while: for whom the page acts now, also when it acts for somebody else by then. */
export function lastingClient(retries: number): Mneme {
  const caller = identity();
  return new Mneme({ ...options, retries, fetch: fetchAs(() => caller) });
}
