import { randomUUID } from 'node:crypto';
import type { Endpoint } from '@mneme/contracts';
import type { Msg } from '@nats-io/nats-core';
import { invalidRequest, malformedRequest } from '../errors/error-replies.ts';
import { readRequestHeaders } from '../request-reply/headers.ts';

/** What a handler gets with the body of a request. */
export interface RequestContext {
  /** The request id that the caller gave at the edge, or a new one. */
  readonly correlationId: string;
  readonly actor?: string;
  /** When the caller stops waiting, in milliseconds since 1970. */
  readonly deadline: number;
  /** Aborted when the deadline has passed or the caller stopped waiting. */
  readonly signal: AbortSignal;
}

/** Answers the requests to one endpoint. */
export type RequestHandler<Req, Rep> = (request: Req, context: RequestContext) => Promise<Rep> | Rep;

/** For callers without a deadline, such as `nats request`, in milliseconds. */
const defaultTimeoutMs = 30_000;
/** The longest deadline of any request, in milliseconds. */
const longestTimeoutMs = 600_000;

/** A request that a handler is working on. */
export class RunningRequest {
  readonly context: RequestContext;
  /** How long the caller waits, in milliseconds from when it sent the request. */
  readonly timeoutMs: number;
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(message: Msg) {
    const headers = readRequestHeaders(message.headers);
    this.timeoutMs = Math.min(headers.timeoutMs ?? defaultTimeoutMs, longestTimeoutMs);
    this.#timer = setTimeout(() => this.abort(new Error('The deadline has passed')), this.timeoutMs);
    this.context = {
      correlationId: headers.correlationId ?? randomUUID(),
      ...(headers.actor !== undefined && { actor: headers.actor }),
      deadline: Date.now() + this.timeoutMs,
      signal: this.#abort.signal,
    };
  }

  abort(reason: Error): void {
    this.#abort.abort(reason);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** @throws WireError 400 for a body that is not JSON, 422 for one of the wrong shape. */
export function parseRequest<Req>(endpoint: Endpoint<Req, unknown>, message: Msg): Req {
  const parsed = endpoint.request.safeParse(decode(message));
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error);
}

function decode(message: Msg): unknown {
  if (message.data.length === 0) return null;
  try {
    return message.json();
  } catch (error) {
    throw malformedRequest(error);
  }
}
