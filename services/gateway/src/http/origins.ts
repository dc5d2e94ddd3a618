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

export interface OriginRules {
  /** Origins beside that of the gateway, as of `CORS_ORIGINS`. */
  readonly allowed: readonly string[];
  readonly ownOrigin: string | undefined;
}

/**
 * Refuses requests below `/api/` without credentials that a page of another origin makes a browser send. Such a page cannot
 * read the answers, but requests may change something: an image is enough to send a GET, and reading a profile makes an agent.
 * Other ports of this machine are the same site, but other origins. Programs send neither `Sec-Fetch-Site` nor `Origin`.
 * @throws WireError 403
 */
export function refuseForeignPages(rules: OriginRules): RequestHandler {
  return (request, _response, next) => {
    const isGuarded = request.path.startsWith('/api/') && request.method !== 'OPTIONS' && !showsCredential(request);
    if (!isGuarded || !isOfForeignPage(request, rules)) next();
    else throw forbidden(message);
  };
}

const message =
  'Pages of other origins may send no requests without a credential. Add the origin of the page to CORS_ORIGINS, send a ' +
  'credential, or, if you followed a link, type the address';

/** Browsers say in `Sec-Fetch-Site` who sends a request, `none` being a person, but only over https or on this machine. */
function isOfForeignPage(request: Request, { allowed, ownOrigin }: OriginRules): boolean {
  if (isAllowedOrigin(request, allowed)) return false;
  const site = request.get('sec-fetch-site');
  return site === undefined ? isOfOtherOrigin(request, ownOrigin) : site !== 'same-origin' && site !== 'none';
}
