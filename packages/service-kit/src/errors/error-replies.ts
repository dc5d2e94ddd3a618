import { type ErrorReply, WireError } from '@mneme/contracts';
import type { z } from 'zod';
import { isNatsFull, natsFullMessage } from './nats-full.ts';
import { isUnavailable } from './unavailable.ts';

/** The cause of an error that a service has already logged, with its stack and request id, before it crossed to us. */
export class LoggedByServiceError extends Error {
  override readonly name = 'LoggedByServiceError';
}

/** Whether an error has been logged already, so that each one is logged once. */
export function isLogged(error: Error): boolean {
  return error.cause instanceof LoggedByServiceError;
}

/** The reply to a request of the wrong shape: a fault of the calling service, which validates the input of its callers. */
export function invalidRequest(error: z.ZodError): WireError {
  const issues = error.issues.map(({ path, message }) => ({ path: path.map(String), message }));
  return new WireError({ status: 422, code: 'UNPROCESSABLE', message: 'The request is not valid', extra: { issues } });
}

export function malformedRequest(cause: unknown): WireError {
  return new WireError({ status: 400, code: 'BAD_REQUEST', message: 'The request is not JSON' }, { cause });
}

/** Too many requests are waiting for the service. */
export function busy(service: string): WireError {
  return unavailable(`The service ${service} is busy, try again later`);
}

/** The process stood still while the request waited: its caller may have given up long ago, and done something else. */
export function outdated(service: string, stoodStillMs: number): WireError {
  const seconds = Math.round(stoodStillMs / 1_000);
  return unavailable(`The service ${service} stood still for ${seconds} s and did nothing of this request; try again`);
}

/** Why a request is aborted when its service stops. Another instance, or the same one a little later, can answer it. */
export function stopping(service: string): WireError {
  return unavailable(`The service ${service} is shutting down, try again`);
}

/** The reply to an error of a handler, and whether the error is unexpected and has to be logged. */
export function classify(error: unknown, signal: AbortSignal): { refusal: WireError; isUnexpected: boolean } {
  if (error instanceof WireError) return { refusal: error, isUnexpected: hidesUnexpectedError(error) };
  const refused = refusedByEventLog(error);
  if (refused) return { refusal: refused, isUnexpected: false };
  const failed = failedByModel(error);
  if (failed) return { refusal: failed, isUnexpected: false };
  if (signal.aborted) {
    const late = timedOut('The request took too long', { cause: error });
    const refusal = signal.reason instanceof WireError ? signal.reason : late;
    return { refusal, isUnexpected: false };
  }
  if (isNatsFull(error)) return { refusal: unavailable(natsFullMessage, { cause: error }), isUnexpected: true };
  if (isUnavailable(error)) {
    const message = 'A store that is needed is out of reach, try again later';
    return { refusal: unavailable(message, { cause: error }), isUnexpected: true };
  }
  return { refusal: unexplained(error), isUnexpected: true };
}

/** A handler may give an unexpected error a code and message of its own; the error itself is then known here only. */
function hidesUnexpectedError(error: WireError): boolean {
  return error.status === 500 && error.cause !== undefined && !isLogged(error);
}

export function toErrorReply({ status, code, message, extra, isUnexplained }: WireError): ErrorReply {
  return { status, code, message, extra, ...(isUnexplained && { isUnexplained }) };
}

/** Recognised by name, because this package does not depend on the event store. */
function refusedByEventLog(error: unknown): WireError | undefined {
  const name = error instanceof Error ? error.name : undefined;
  if (name === 'ConflictError') {
    const message = 'It was changed by others at the same time, try again';
    // It tells this conflict from those that last.
    const extra = { retry_after: 1 };
    return new WireError({ status: 409, code: 'CONFLICT', message, extra }, { cause: error });
  }
  if (name === 'EventTooLargeError' || name === 'BatchTooLargeError') {
    const message = 'It is larger than the event log takes';
    return new WireError({ status: 413, code: 'PAYLOAD_TOO_LARGE', message }, { cause: error });
  }
  if (name === 'HistoryTooLargeError') {
    const message = 'Its history is larger than can be read for a decision';
    return new WireError({ status: 409, code: 'CONFLICT', message }, { cause: error });
  }
  if (error instanceof Error && (name === 'UnreadableEventError' || name === 'UnknownEventError')) {
    const message = `${error.message}. An operator can repair this (docs/dead-letters.md, unreadable events)`;
    const reply = { status: 503, code: 'READ_MODEL_BEHIND', message } as const;
    return new WireError(reply, { cause: error });
  }
  if (error instanceof Error && name === 'TooManyWaitingError') {
    return unavailable(error.message, { cause: error });
  }
  return undefined;
}

/** The message of a `ModelError` is written for users. Recognised by name, because this package does not depend on the models. */
function failedByModel(error: unknown): WireError | undefined {
  if (!(error instanceof Error) || error.name !== 'ModelError') return undefined;
  const { code, retryAfterMs } = error as { code?: unknown; retryAfterMs?: unknown };
  const { message } = error;
  const cause = { cause: error };
  if (code === 'timeout') return timedOut(message, cause);
  if (code !== 'rate-limited' && code !== 'unavailable') {
    return new WireError({ status: 500, code: 'INTERNAL_ERROR', message }, cause);
  }
  const extra = typeof retryAfterMs === 'number' ? { retry_after: Math.max(1, Math.ceil(retryAfterMs / 1_000)) } : {};
  return new WireError({ status: 503, code: 'UNAVAILABLE', message, extra }, cause);
}

export function timedOut(message: string, options?: ErrorOptions): WireError {
  return new WireError({ status: 504, code: 'TIMEOUT', message }, options);
}

export function unavailable(message: string, options?: ErrorOptions): WireError {
  return new WireError({ status: 503, code: 'UNAVAILABLE', message }, options);
}

/** What callers are told of an error that nothing else is known of. */
export function unexplained(cause: unknown): WireError {
  const reply = { status: 500, code: 'INTERNAL_ERROR', message: 'Internal error', isUnexplained: true } as const;
  return new WireError(reply, { cause });
}
