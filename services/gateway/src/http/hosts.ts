import { isIPv4 } from 'node:net';
import { WireError } from '@mneme/contracts';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** A name or an address, an address of IPv6 in brackets, and maybe a port. */
const hostPattern = /^(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,255})(?::\d{0,5})?$/i;

/**
 * The name or address in a `Host` header, without its port and as a browser would write it.
 * @returns undefined when it is no host
 */
export function hostNameOf(host: string): string | undefined {
  if (!hostPattern.test(host)) return undefined;
  return URL.parse(`http://${host}/`)?.hostname.replace(/\.$/, '');
}

/**
 * Refuses a request whose `Host` can be read in two ways. HTTP/1.0 has none; Node refuses a request of HTTP/1.1 without.
 * @throws WireError 400 when there are several, or when it is no host
 */
export function requireOneHost(request: Request, _response: Response, next: NextFunction): void {
  const { host } = request.headers;
  if (countOf('host', request.rawHeaders) > 1) throw badHost('There are several Host headers; send one');
  if (host !== undefined && hostNameOf(host) === undefined) throw badHost('The Host header is not a host');
  next();
}

/** @param rawHeaders names and values in turn; Node keeps only the first of several `Host` headers elsewhere */
function countOf(lowerName: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === lowerName).length;
}

/** A name that stands for every host in `ALLOWED_HOSTS`. */
export const anyHost = '*';

/**
 * Refuses requests without a credential that were sent to a foreign name. A page of any web site can make its own name
 * lead to this machine (DNS rebinding); the browser then lets it read what a server without credentials answers. The
 * `Host` header still has the name of the page. A credential is one thing that such a page does not have, so below
 * `/api/`, where credentials are verified, a request with one goes on.
 * @param allowedHosts names beside those of the loopback interface; `*` allows all
 * @throws WireError 421
 */
export function refuseForeignHosts(allowedHosts: readonly string[]): RequestHandler {
  const allowed = new Set(allowedHosts.map((host) => (host === anyHost ? host : hostNameOf(host))));
  return (request, _response, next) => {
    const name = hostNameOf(request.headers.host ?? '') ?? '';
    if (allowed.has(anyHost) || allowed.has(name) || isLoopback(name) || showsCredential(request)) next();
    else throw foreignHost(name);
  };
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
}

function showsCredential({ path, headers }: Request): boolean {
  return path.startsWith('/api/') && (headers.authorization !== undefined || headers['x-api-key'] !== undefined);
}

function badHost(message: string): WireError {
  return new WireError({ status: 400, code: 'BAD_REQUEST', message });
}

function foreignHost(name: string): WireError {
  const message =
    `Requests without a credential are answered for this machine's own names only, and not for '${name}'. Send them to ` +
    'localhost or 127.0.0.1, send a credential, or add the name to ALLOWED_HOSTS';
  return new WireError({ status: 421, code: 'MISDIRECTED_REQUEST', message });
}
