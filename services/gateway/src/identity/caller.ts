import type { IncomingHttpHeaders } from 'node:http';
import { WireError } from '@mneme/contracts';
import type { RequestHandler, Response } from 'express';

/** On whose behalf a request is made. */
export interface Caller {
  /** The space whose memory the request works in. */
  readonly space: string;
  /** Tells callers apart where they share nothing, such as idempotency keys. */
  readonly id: string;
  /** Who stands in the events; undefined for a caller without a name. */
  readonly actor: string | undefined;
}

const publicCaller: Caller = Object.freeze({ space: 'public', id: 'public', actor: undefined });

/** Finds out who makes a request, before anything else of it is read. */
export function identifyCaller(auth: 'optional' | 'required'): RequestHandler {
  return (request, response, next) => {
    response.locals.caller = resolveCaller(request.headers, auth);
    next();
  };
}

export function callerOf(response: Response): Caller {
  return response.locals.caller as Caller;
}

/**
 * Says who makes a request. There are no users and keys yet, so that any credential is an unknown one, and an unknown
 * one is refused even where none is wanted.
 * @throws WireError 401
 */
function resolveCaller(headers: IncomingHttpHeaders, auth: 'optional' | 'required'): Caller {
  if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) {
    throw unauthenticated('The credential is not valid');
  }
  if (auth === 'required') throw unauthenticated('A credential is required');
  return publicCaller;
}

function unauthenticated(message: string): WireError {
  return new WireError({ status: 401, code: 'UNAUTHENTICATED', message });
}
