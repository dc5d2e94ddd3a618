import { type ErrorCode, type MemoryScope, WireError } from '@mneme/contracts';
import { isBucketFull } from '@mneme/event-store';
import { type Failure, isNatsFull, isUnavailable, natsFullMessage, unexplained } from '@mneme/service-kit';

/** The caller closed the connection, so there is no one to answer. */
export class CallerGoneError extends Error {
  override readonly name = 'CallerGoneError';
}

const challenge = 'Bearer realm="mneme"';

/** A refusal that other credentials could avoid. */
export abstract class ChallengeError extends WireError {
  /** The value of `WWW-Authenticate`. */
  abstract readonly challenge: string;
}

/** The caller is not authenticated. */
export class UnauthenticatedError extends ChallengeError {
  readonly challenge: string;

  constructor(message: string, challenge: string, options?: ErrorOptions) {
    super({ status: 401, code: 'UNAUTHENTICATED', message }, options);
    this.name = 'UnauthenticatedError';
    this.challenge = challenge;
  }
}

/** The session of a browser has ended: it was signed out, has expired, or its credential is no longer valid. */
export class SessionExpiredError extends ChallengeError {
  readonly challenge = challenge;

  constructor(options?: ErrorOptions) {
    super({ status: 401, code: 'SESSION_EXPIRED', message: 'The session has ended; sign in again' }, options);
    this.name = 'SessionExpiredError';
  }
}

/** The key is valid but lacks a scope (RFC 6750, section 3.1). */
export class InsufficientScopeError extends ChallengeError {
  readonly challenge: string;

  constructor(scope: MemoryScope) {
    super({ status: 403, code: 'FORBIDDEN', message: `The key lacks the scope ${scope}` });
    this.name = 'InsufficientScopeError';
    this.challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
  }
}

/** The route requires credentials and the request has none. */
export function credentialRequired(message = 'A credential is required'): UnauthenticatedError {
  return new UnauthenticatedError(message, challenge);
}

/** The same answer for every invalid credential, so that it does not reveal which keys exist or existed. */
export function credentialRefused(cause?: unknown): UnauthenticatedError {
  return new UnauthenticatedError('The credential is not valid', `${challenge}, error="invalid_token"`, { cause });
}

export function badRequest(message: string): WireError {
  return new WireError({ status: 400, code: 'BAD_REQUEST', message });
}

export function forbidden(message: string): WireError {
  return new WireError({ status: 403, code: 'FORBIDDEN', message });
}

/** For a key that is bound to an agent, and a request about another one. */
export function boundToAnother(): WireError {
  return forbidden('The key is bound to another agent');
}

export function notFound(message: string): WireError {
  return new WireError({ status: 404, code: 'NOT_FOUND', message });
}

export function conflict(message: string): WireError {
  return new WireError({ status: 409, code: 'CONFLICT', message });
}

export function tooLarge(message: string, cause?: unknown): WireError {
  return new WireError({ status: 413, code: 'PAYLOAD_TOO_LARGE', message }, cause === undefined ? {} : { cause });
}

export function tooManyRequests(message: string, retryAfterSeconds: number): WireError {
  return new WireError({ status: 429, code: 'RATE_LIMITED', message, extra: { retry_after: retryAfterSeconds } });
}

/** @param retryAfterSeconds the usual 2 s unless given */
export function unavailable(message: string, retryAfterSeconds?: number, cause?: unknown): WireError {
  const extra = retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds };
  return new WireError({ status: 503, code: 'UNAVAILABLE', message, extra }, cause === undefined ? {} : { cause });
}

/** @param extra such as the id of an operation that continues */
export function timedOut(message: string, extra: Readonly<Record<string, unknown>> = {}): WireError {
  return new WireError({ status: 504, code: 'TIMEOUT', message, extra });
}

/** For `catch`: answers 503 when a bucket is full; other errors stay as they are. */
export function refuseWhenFull(message: string, retryAfterSeconds?: number): (error: unknown) => never {
  return (error) => {
    throw isBucketFull(error) ? unavailable(message, retryAfterSeconds, error) : error;
  };
}

/** Maps any error to what the caller may know of it. */
export function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  if (isNatsFull(error)) return unavailable(natsFullMessage, undefined, error);
  if (isUnavailable(error)) return unavailable('The event log is out of reach, try again later', undefined, error);
  return fromHttpError(error) ?? unexplained(error);
}

/**
 * Express sets the status of the answer on its errors, and marks those that a caller may see. Errors of other libraries may
 * have a `status` too, which means something else.
 */
function fromHttpError(error: unknown): WireError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!(error instanceof URIError || 'expose' in error)) return undefined;
  const { status } = error as { status?: unknown };
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  const message = error instanceof URIError ? 'The path has a malformed percent-encoding' : 'The request is malformed';
  return new WireError({ status, code: codeOf(status), message }, { cause: error });
}

/** The code of a status when nothing more is known. */
export function codeOf(status: number): ErrorCode {
  return codes[status] ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR');
}

const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  421: 'MISDIRECTED_REQUEST',
  429: 'RATE_LIMITED',
  503: 'UNAVAILABLE',
  504: 'TIMEOUT',
};

/** Gives the unexpected errors of `act` the code and message that the callers of a route know; other errors stay as they are. */
export async function orFail<Reply>({ code, message }: Failure, act: () => Promise<Reply>): Promise<Reply> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof CallerGoneError) throw error;
    const failure = toWireError(error);
    if (!failure.isUnexplained) throw error;
    throw new WireError({ status: 500, code, message }, { cause: failure.cause });
  }
}
