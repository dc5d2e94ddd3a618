import { isIPv4 } from 'node:net';
import { WireError } from '@mneme/contracts';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { badRequest } from '../errors.ts';

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port. */
const hostPattern = /^(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,255})(?::\d{0,5})?$/i;

/**
 * The name or address in a `Host` header, without the port and normalised like a browser does.
 * @returns undefined when it is not a host
 */
export function hostNameOf(host: string): string | undefined {
  if (!hostPattern.test(host)) return undefined;
  return URL.parse(`http://${host}/`)?.hostname.replace(/\.$/, '');
}

/**
 * Refuses a request with an ambiguous `Host`. Only HTTP/1.0 may have none.
 * @throws WireError 400 when there are several, or when it is missing or not a host
 */
export function requireOneHost(request: Request, _response: Response, next: NextFunction): void {
  const { host } = request.headers;
  if (host === undefined && request.httpVersion !== '1.0') throw badRequest('The Host header is missing');
  if (countOf('host', request.rawHeaders) > 1) throw badRequest('There are several Host headers; send one');
  if (host !== undefined && hostNameOf(host) === undefined) throw badRequest('The Host header is not a host');
  next();
}

/** @param rawHeaders names and values in turn; the parsed headers of Node have only the first `Host` */
function countOf(lowerName: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === lowerName).length;
}

/** Stands for every host in `ALLOWED_HOSTS`. */
export const anyHost = '*';

/**
 * Refuses requests without credentials that were sent to a foreign host name. Any web site can make its own name resolve
 * to this machine (DNS rebinding), and the browser then lets its pages read what a server without authentication answers.
 * The `Host` header still has the name of that site. Such a page has no credentials, so requests with credentials pass
 * below `/api/` and at `/mcp`, where they are verified.
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

/** Whether a request has a credential in its headers, where that is verified. */
export function showsCredential({ path, headers }: Request): boolean {
  return (
    /^\/(api\/|mcp(\/|$))/.test(path) && (headers.authorization !== undefined || headers['x-api-key'] !== undefined)
  );
}

function foreignHost(name: string): WireError {
  const message =
    `Requests without a credential are answered for this machine's own names only, and not for '${name}'. Send them to ` +
    'localhost or 127.0.0.1, send a credential, or add the name to ALLOWED_HOSTS';
  return new WireError({ status: 421, code: 'MISDIRECTED_REQUEST', message });
}
