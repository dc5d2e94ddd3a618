import { Mneme } from '@mneme/client';

/**
 * Acts for the session of this browser. Queries repeat what failed, and the banner says when the connection is lost, so that
 * nothing waits for repetitions that nobody sees.
 */
export const mneme = new Mneme({ baseUrl: location.origin, useSession: true, retries: 0, timeoutMs: 130_000 });
