import type { Request, RequestHandler } from 'express';
import { forbidden } from '../errors.ts';
import { showsCredential } from './hosts.ts';

/** Stands for every origin in `CORS_ORIGINS`. */
const anyOrigin = '*';

/**
 * Whether the `Origin` of a request is another one than it was sent to.
 * @param ownOrigin where callers reach the gateways, if that is configured
 */
export function isOfOtherOrigin({ headers }: Request, ownOrigin: string | undefined): boolean {
  const { origin, host } = headers;
  if (origin === undefined || origin === ownOrigin) return false;
  return URL.parse(origin)?.host !== host;
}

/** @param allowed as of `CORS_ORIGINS` */
export function isAllowedOrigin({ headers: { origin } }: Request, allowed: readonly string[]): boolean {
  return allowed.includes(anyOrigin) || (origin !== undefined && allowed.includes(origin));
}

/**
 * Refuses requests below `/api/` without credentials that a page of another origin makes a browser send. Such a page cannot
 * read the answers, but requests may change something: an image is enough to send a GET, and reading a profile makes an agent.
 * Other ports of this machine are the same site, but other origins. Programs do not send `Sec-Fetch-Site`.
 * @param allowed other origins that are answered, as of `CORS_ORIGINS`
 * @throws WireError 403
 */
export function refuseForeignPages(allowed: readonly string[]): RequestHandler {
  return (request, _response, next) => {
    const isGuarded = request.path.startsWith('/api/') && request.method !== 'OPTIONS' && !showsCredential(request);
    if (!isGuarded || !isOfForeignPage(request, allowed)) next();
    else throw forbidden(message);
  };
}

const message =
  'Pages of other origins may send no requests without a credential. Add the origin of the page to CORS_ORIGINS, send a ' +
  'credential, or, if you followed a link, type the address';

/** Browsers say in `Sec-Fetch-Site` who sends a request, `none` being a person, but only over https or on this machine. */
function isOfForeignPage(request: Request, allowed: readonly string[]): boolean {
  const site = request.get('sec-fetch-site') ?? 'none';
  return site !== 'same-origin' && site !== 'none' && !isAllowedOrigin(request, allowed);
}
