import type { ErrorReply } from '@mneme/contracts';
import { headers, type MsgHdrs } from '@nats-io/nats-core';

/** Names of the headers that a request and its reply carry. */
export const headerNames = {
  correlationId: 'correlation-id',
  actor: 'actor',
  /** How long the caller waits, in milliseconds. A duration, because two machines' clocks differ. */
  timeoutMs: 'timeout-ms',
  /** `<index>/<count>`, counted from 1, on each part of a large reply; 0 announces it. */
  part: 'mneme-part',
  /** On a request whose caller asks for the parts of a large reply one after the other. */
  credits: 'mneme-credits',
  /** The service that has written the error into its log. */
  loggedBy: 'mneme-logged-by',
  serviceError: 'Nats-Service-Error',
  serviceErrorCode: 'Nats-Service-Error-Code',
} as const;

/** The subject on which the instances of `service` hear that a caller no longer waits; the data is its reply subject. */
export function cancelSubject(service: string): string {
  return `mneme.${service}.$cancel`;
}

export interface RequestHeaders {
  readonly correlationId: string;
  readonly timeoutMs: number;
  readonly actor?: string | undefined;
}

export function writeRequestHeaders(request: RequestHeaders): MsgHdrs {
  const written = headers();
  written.set(headerNames.correlationId, request.correlationId);
  written.set(headerNames.timeoutMs, String(Math.max(1, Math.ceil(request.timeoutMs))));
  if (request.actor !== undefined) written.set(headerNames.actor, request.actor);
  written.set(headerNames.credits, '1');
  return written;
}

/** Whether the caller asks for the parts of a large reply; others get them at once. */
export function takesCredits(received: MsgHdrs | undefined): boolean {
  return received?.has(headerNames.credits) ?? false;
}

/** Reads what the caller sent; a foreign caller such as `nats request` sends nothing. */
export function readRequestHeaders(received: MsgHdrs | undefined): Partial<RequestHeaders> {
  const timeoutMs = Number(received?.get(headerNames.timeoutMs));
  return {
    ...(received?.has(headerNames.correlationId) && { correlationId: received.get(headerNames.correlationId) }),
    ...(received?.has(headerNames.actor) && { actor: received.get(headerNames.actor) }),
    ...(Number.isFinite(timeoutMs) && timeoutMs > 0 && { timeoutMs }),
  };
}

const longestErrorHeader = 256;

/** The two headers by which any client of the NATS services convention knows an error, and who has logged it. */
export function writeErrorHeaders(error: ErrorReply, loggedBy?: string): MsgHdrs {
  const written = headers();
  // A header ends at a line break, so none may stand in it.
  const oneLine = error.message.replace(/[^\x20-\x7e]+/g, ' ').slice(0, longestErrorHeader);
  written.set(headerNames.serviceErrorCode, String(error.status));
  written.set(headerNames.serviceError, oneLine);
  if (loggedBy !== undefined) written.set(headerNames.loggedBy, loggedBy);
  return written;
}
