import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { type Logger, type Metrics, withoutCredentials } from '@mneme/service-kit';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { badRequest, CallerGoneError } from '../errors.ts';

const validRequestId = /^[\w.-]{1,128}$/;

/** Adopts a valid `X-Request-Id` or creates one, and returns it. It goes to logs and events, so it must not be a credential. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('x-request-id');
  const isValid = given !== undefined && validRequestId.test(given) && given === withoutCredentials(given);
  const requestId = isValid ? given : randomUUID();
  response.locals.requestId = requestId;
  response.setHeader('X-Request-Id', requestId);
  next();
}

export function requestIdOf(response: Response): string {
  return String(response.locals.requestId);
}

/** Whether forwarded headers are used that come from `address`, as Express asks; undefined when its connection is closed. */
export type Trusts = (address: string | undefined, hop: number) => boolean;

/**
 * Where a request comes from, as an IP address, or `unknown`. From a trusted proxy Express takes it from the forwarded headers,
 * whose value may be no address.
 */
export function addressOf({ ip }: Pick<Request, 'ip'>): string {
  const address = withoutPort(ip)?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
  return isIP(address) === 0 ? 'unknown' : address;
}

/** The address of a forwarded header, which may have a port (`203.0.113.7:4711`, `[2001:db8::1]:4711`). */
export function withoutPort(forwarded: string | undefined): string | undefined {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(forwarded ?? '') ?? [];
  return bracketed ?? dotted ?? forwarded;
}

/** What probes ask for, every few seconds. */
export const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** What nginx and others log for a request whose caller went away before the answer was sent. */
const callerGoneStatus = 499;

/**
 * Measures requests by the path of their route (the paths that callers send would each become a time series), and logs each
 * in one line, without its content.
 */
export function observe(logger: Logger, metrics: Metrics): RequestHandler {
  const durations = metrics.histogram({
    name: 'mneme_http_request_duration_seconds',
    help: 'How long a request took, from its headers to the last byte of the answer',
    labels: ['method', 'route', 'status'],
  });
  return (request: Request, response: Response, next: NextFunction) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const durationMs = performance.now() - startedAt;
      const { method } = request;
      const { writableFinished: isComplete, statusCode } = response;
      const route = String(response.locals.route ?? 'unknown');
      const status = isComplete ? String(statusCode) : 'aborted';
      durations.observe({ method, route, status }, durationMs / 1_000);
      const about = {
        requestId: requestIdOf(response),
        method,
        route,
        status: isComplete ? statusCode : callerGoneStatus,
        ms: Math.round(durationMs * 10) / 10,
        principal: principalOf(response),
      };
      if (probePaths.has(request.path)) logger.debug(about, 'Request');
      else logger.info(about, 'Request');
    });
    next();
  };
}

/** Who was authenticated, such as `user:7` or `key:12`. */
function principalOf(response: Response): string {
  const caller = response.locals.caller as { readonly actor?: string } | undefined;
  return caller?.actor ?? 'anonymous';
}

/** Sets the route that `observe` measures a request by. */
export function markRoute(path: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = path;
    next();
  };
}

/** How many parameters a query string may have. */
const maxParameters = 100;

/** Names and their values; a repeated name has a list. */
type QueryParameters = Record<string, string | string[]>;

/**
 * Parses the query string of a request and stores the result as `request.query`, because the getter of Express would parse
 * it again at every access.
 * @throws WireError 400 when it has more than 100 parameters, or a malformed percent-encoding
 */
export function readQueryString(request: Request, _response: Response, next: NextFunction): void {
  const start = request.url.indexOf('?');
  const value = parseQueryString(start === -1 ? '' : request.url.slice(start + 1));
  Object.defineProperty(request, 'query', { value });
  next();
}

/**
 * Parses a query string. A repeated name has a list, which no schema of ours accepts, so that a repeated parameter is
 * refused instead of half used. The result has no prototype, so that any name is just a name.
 * @throws WireError 400 when it has more than 100 parameters, or a malformed percent-encoding
 */
function parseQueryString(text: string): QueryParameters {
  const parameters: QueryParameters = Object.create(null);
  let count = 0;
  if (!isPercentEncoded(text)) throw badRequest('The query string has a malformed percent-encoding');
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > maxParameters) throw badRequest(`The query string has more than ${maxParameters} parameters`);
    const earlier = parameters[name];
    if (earlier === undefined) parameters[name] = value;
    else if (typeof earlier === 'string') parameters[name] = [earlier, value];
    else earlier.push(value);
  }
  return parameters;
}

/** Whether each `%` begins the encoding of a character; `URLSearchParams` would read others as U+FFFD or as they are. */
function isPercentEncoded(text: string): boolean {
  try {
    // A bundler leaves out a call whose result is not used.
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Reads `wait` of the header `Prefer` (RFC 7240, 4.3). What is not understood has no effect, as the RFC demands.
 * @returns milliseconds; undefined without a preference
 */
export function preferredWaitMs(header: string | undefined): number | undefined {
  const seconds = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(header ?? '')?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/**
 * Where the caller reached the gateway, such as `https://mneme.example`. Express uses forwarded headers only from trusted
 * proxies. Only a scheme, a host and a port of the headers are used.
 */
export function originOf(request: Request): string {
  const { localAddress = '127.0.0.1', localPort } = request.socket;
  const local = `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
  if (!request.host) return local;
  const url = URL.parse(`${request.protocol === 'https' ? 'https' : 'http'}://${request.host}`);
  return url?.origin ?? local;
}

const callerGone = () => new CallerGoneError('The caller has gone');

/**
 * The requests that are being answered. Each has a signal of its own; a shared signal would collect a listener per request
 * for as long as the process lives.
 */
export class RunningRequests {
  readonly #controllers = new Set<AbortController>();
  #end: Error | undefined;

  /** The signal of one request; aborted when its caller goes away before the answer, or when the gateway stops. */
  begin(response: Response): AbortSignal {
    // The caller may have left during authentication: such a response emits no `close` any more.
    if (response.destroyed || response.closed || response.req.socket.destroyed) return AbortSignal.abort(callerGone());
    const controller = new AbortController();
    this.#controllers.add(controller);
    response.once('close', () => {
      this.#controllers.delete(controller);
      if (!response.writableFinished) controller.abort(callerGone());
    });
    if (this.#end) controller.abort(this.#end);
    return controller.signal;
  }

  /** Aborts the running requests, and every later one. */
  end(reason: Error): void {
    this.#end = reason;
    for (const controller of this.#controllers) controller.abort(reason);
  }
}
