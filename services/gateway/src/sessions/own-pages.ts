import type { Request } from 'express';
import { forbidden, SessionExpiredError } from '../errors.ts';
import { isOfOtherOrigin } from '../http/origins.ts';

/** Pages of other origins cannot set it without asking by CORS, which never allows credentials here. */
const consoleHeader = 'mneme-console';

/**
 * Makes sure that a request with the cookie comes from a page of this server. Browsers say so in `Sec-Fetch-Site`, which no
 * script can set, but only to servers that they reach over https or on this machine; `Origin` and the header of the console
 * tell for the others. Requests that change something need the header always.
 *
 * @param ownOrigin where callers reach the gateways, if that is configured
 * @throws WireError 403
 */
export function assertOwnPage(request: Request, ownOrigin: string | undefined): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const hasHeader = request.get(consoleHeader) !== undefined;
  const site = request.get('sec-fetch-site');
  const isOwn = site === undefined ? hasHeader && !isOfOtherOrigin(request, ownOrigin) : isOwnSite(site, isRead);
  if (isOwn && (isRead || hasHeader)) return;
  throw forbidden('The session of a browser is for pages of this server only; programs send a token or an API key');
}

/** A caller, as a page names the one that it acts for; other values of the header expect no one. */
const callerPattern = /^(public|(user|key):\d+)$/;

/**
 * Makes sure that the browser still acts for the caller that a page expects: its session may have ended, or somebody else may
 * have signed in in another tab.
 * @param callerId as of `Caller`
 * @throws SessionExpiredError
 */
export function assertExpectedCaller(request: Request, callerId: string): void {
  const expected = request.get(consoleHeader) ?? '';
  if (callerPattern.test(expected) && expected !== callerId) throw new SessionExpiredError();
}

/** `none`: somebody typed the address, or opened a bookmark. */
function isOwnSite(site: string, isRead: boolean): boolean {
  return site === 'same-origin' || (isRead && site === 'none');
}
