import type { ErrorReply } from '@mneme/contracts';
import { headers, type MsgHdrs } from '@nats-io/nats-core';

/** Names of the headers of requests and replies. */
export const headerNames = {
  correlationId: 'correlation-id',
  actor: 'actor',
  /** How long the caller waits, in milliseconds. A duration, because the clocks of two machines differ. */
  timeoutMs: 'timeout-ms',
  /** How often the caller wants to be told that its request is worked on, in milliseconds; on what tells it, empty. */
  heartbeat: 'mneme-heartbeat',
  /** The place in a trace that the request belongs to, as W3C Trace Context writes it. */
  traceparent: 'traceparent',
  /** `<index>/<count>`, counted from 1, on each part of a large reply; 0 announces it. */
  part: 'mneme-part',
  /** On a request whose caller requests the parts of a large reply as it can take them. */
  credits: 'mneme-credits',
  /** The service that has logged the error. */
  loggedBy: 'mneme-logged-by',
  serviceError: 'Nats-Service-Error',
  serviceErrorCode: 'Nats-Service-Error-Code',
} as const;

/** The subject on which the instances of `service` are told that a caller stopped waiting; the data is its reply subject. */
export function cancelSubject(service: string): string {
  return `mneme.${service}.$cancel`;
}

export interface RequestHeaders {
  readonly correlationId: string;
  readonly timeoutMs: number;
  readonly heartbeatMs?: number | undefined;
  readonly actor?: string | undefined;
  readonly traceparent?: string | undefined;
}

export function writeRequestHeaders(request: RequestHeaders): MsgHdrs {
  const written = headers();
  written.set(headerNames.correlationId, request.correlationId);
  written.set(headerNames.timeoutMs, String(Math.max(1, Math.ceil(request.timeoutMs))));
  if (request.heartbeatMs !== undefined) written.set(headerNames.heartbeat, String(request.heartbeatMs));
  if (request.actor !== undefined) written.set(headerNames.actor, request.actor);
  if (request.traceparent !== undefined) written.set(headerNames.traceparent, request.traceparent);
  written.set(headerNames.credits, '1');
  return written;
}

/** Whether the caller requests the parts of a large reply itself; other callers get all parts at once. */
export function takesCredits(received: MsgHdrs | undefined): boolean {
  return received?.has(headerNames.credits) ?? false;
}

/** Reads the headers of a request; other clients, such as `nats request`, send none. */
export function readRequestHeaders(received: MsgHdrs | undefined): Partial<RequestHeaders> {
  const timeoutMs = Number(received?.get(headerNames.timeoutMs));
  const heartbeatMs = Number(received?.get(headerNames.heartbeat));
  return {
    ...(received?.has(headerNames.correlationId) && { correlationId: received.get(headerNames.correlationId) }),
    ...(received?.has(headerNames.actor) && { actor: received.get(headerNames.actor) }),
    ...(received?.has(headerNames.traceparent) && { traceparent: received.get(headerNames.traceparent) }),
    ...(Number.isFinite(timeoutMs) && timeoutMs > 0 && { timeoutMs }),
    ...(Number.isFinite(heartbeatMs) && heartbeatMs > 0 && { heartbeatMs }),
  };
}

/** The message that tells a caller that its request is worked on. */
export function heartbeatHeaders(): MsgHdrs {
  const written = headers();
  written.set(headerNames.heartbeat, '');
  return written;
}

const longestErrorHeader = 256;

/** The two error headers of the NATS services convention (ADR-32), and the service that has logged the error. */
export function writeErrorHeaders(error: ErrorReply, loggedBy?: string): MsgHdrs {
  const written = headers();
  // A line break would end the header.
  const oneLine = error.message.replace(/[^\x20-\x7e]+/g, ' ').slice(0, longestErrorHeader);
  written.set(headerNames.serviceErrorCode, String(error.status));
  written.set(headerNames.serviceError, oneLine);
  if (loggedBy !== undefined) written.set(headerNames.loggedBy, loggedBy);
  return written;
}
