import { type Endpoint, type ErrorReply, WireError } from '@mneme/contracts';
import { currentTraceparent, inSpan } from '@mneme/telemetry';
import type { MsgHdrs, NatsConnection } from '@nats-io/nats-core';
import { LoggedByServiceError, timedOut, unavailable } from '../errors/error-replies.ts';
import { watchLink } from '../nats/connect.ts';
import { cancelSubject, headerNames, writeRequestHeaders } from './headers.ts';
import {
  ConnectionLostError,
  type Heartbeats,
  NoResponderError,
  NotConnectedError,
  type Reply,
  ReplyInbox,
  ReplyTimeoutError,
  stallPeriodMs,
} from './inbox.ts';

export interface RequestOptions {
  /** The request id of the caller, for logs and events. */
  readonly correlationId: string;
  /**
   * How long to wait for the reply, in milliseconds from now. A wait of over a minute ends sooner, with 503, when the
   * instance that works on the request is gone.
   */
  readonly timeoutMs: number;
  /**
   * Whether a long wait also ends when no instance has ever begun to work on the request. Not for services that may be of
   * a release without heartbeats, unless the request may be repeated.
   */
  readonly isBegunAtOnce?: boolean;
  /** On whose behalf the request is made, for the events that result from it. */
  readonly actor?: string | undefined;
  /** Ends the wait early; the service is told that its caller stopped waiting. */
  readonly signal?: AbortSignal | undefined;
}

export interface Client {
  /**
   * Sends a request to the service that owns `endpoint`.
   * @throws WireError what the service refused with; 503 `UNAVAILABLE` when no instance listens or NATS is out of
   * reach; 504 `TIMEOUT` past the deadline; 413 `PAYLOAD_TOO_LARGE` when the request does not fit into a message.
   */
  request<Req, Rep>(endpoint: Endpoint<Req, Rep>, body: Req, options: RequestOptions): Promise<Rep>;
  close(): void;
}

/** Who waits for longer wants to hear that the request is still worked on, in milliseconds. */
const longWaitMs = 60_000;
/** Heartbeats within the time that a caller may hear nothing. */
const heartbeatsPerPeriod = 2;
/** Room for headers within `max_payload`, in bytes. */
const requestHeadroom = 1_024;

export interface ClientOptions {
  readonly connection: NatsConnection;
  /** A large reply without a part or a heartbeat for two periods of this length counts as broken off, in milliseconds; 5 s unless given. */
  readonly silenceMs?: number;
}

/** Creates a client for requests to services; one per connection is enough. */
export function createClient({ connection, silenceMs = stallPeriodMs }: ClientOptions): Client {
  const inbox = new ReplyInbox(connection, silenceMs);
  const link = watchLink(connection, {
    onLost: () => inbox.rejectAll(new ConnectionLostError('The connection to NATS was lost')),
  });

  function request<Req, Rep>(endpoint: Endpoint<Req, Rep>, body: Req, options: RequestOptions): Promise<Rep> {
    const { service, name } = endpoint;
    const attributes = { 'rpc.system': 'nats', 'rpc.service': service, 'rpc.method': name };
    const about = { by: 'service-kit', kind: 'CLIENT', attributes } as const;
    return inSpan(`request ${service} ${name}`, about, () => exchange(endpoint, body, options));
  }

  async function exchange<Req, Rep>(endpoint: Endpoint<Req, Rep>, body: Req, options: RequestOptions): Promise<Rep> {
    options.signal?.throwIfAborted();
    if (!link.isUp()) throw toWireError(endpoint, new NotConnectedError('The connection to NATS is lost'));
    const payload = encodeRequest(endpoint, body, connection.info?.max_payload ?? Number.POSITIVE_INFINITY);
    const heartbeats = heartbeatsOf(options);
    const { subject, reply } = inbox.open(options.timeoutMs, { signal: options.signal, heartbeats });
    const headers = writeRequestHeaders({
      ...options,
      timeoutMs: options.timeoutMs,
      heartbeatMs: heartbeats && silenceMs / heartbeatsPerPeriod,
      traceparent: currentTraceparent(),
    });
    try {
      connection.publish(endpoint.subject, payload, { reply: subject, headers });
      return decodeReply(endpoint, await reply);
    } catch (error) {
      // When the publish throws, the opened reply must not become an unhandled rejection.
      reply.catch(() => {});
      if (options.signal?.aborted) connection.publish(cancelSubject(endpoint.service), subject);
      throw toWireError(endpoint, error);
    }
  }

  return {
    request,
    close: () => {
      link.stop();
      inbox.close();
    },
  };
}

function heartbeatsOf({ timeoutMs, isBegunAtOnce = false }: RequestOptions): Heartbeats | undefined {
  if (timeoutMs <= longWaitMs) return undefined;
  return isBegunAtOnce ? 'from-start' : 'once-begun';
}

function encodeRequest(endpoint: Endpoint, body: unknown, maxPayload: number): Uint8Array {
  const payload = Buffer.from(JSON.stringify(body ?? null));
  if (payload.length <= maxPayload - requestHeadroom) return payload;
  throw new WireError({
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    message: `The request to ${endpoint.service} is larger than one message may be (${maxPayload} bytes)`,
  });
}

function decodeReply<Rep>(endpoint: Endpoint<unknown, Rep>, reply: Reply): Rep {
  const body: unknown = JSON.parse(Buffer.from(reply.data).toString('utf8'));
  if (reply.headers?.has(headerNames.serviceErrorCode)) throw toRefusal(body as ErrorReply, reply.headers);
  const parsed = endpoint.reply.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Error(`${endpoint.subject} answered with an unexpected shape`, { cause: parsed.error });
}

function toRefusal(body: ErrorReply, headers: MsgHdrs): WireError {
  const loggedBy = headers.get(headerNames.loggedBy);
  return new WireError(body, loggedBy ? { cause: new LoggedByServiceError(`See the log of ${loggedBy}`) } : {});
}

/** Whether a request has failed because no instance of the service has answered it, or could be asked. */
export function isOutOfReach(error: unknown): boolean {
  return isCausedBy(error, [NoResponderError, NotConnectedError, ConnectionLostError, ReplyTimeoutError]);
}

/** Whether no instance of the service can have received a request, so that to repeat it does nothing twice. */
export function wasNotReceived(error: unknown): boolean {
  return isCausedBy(error, [NoResponderError, NotConnectedError]);
}

function isCausedBy(error: unknown, reasons: readonly (abstract new (message: string) => Error)[]): boolean {
  return error instanceof WireError && reasons.some((reason) => error.cause instanceof reason);
}

function toWireError(endpoint: Endpoint, error: unknown): unknown {
  const cause = { cause: error };
  if ([NoResponderError, NotConnectedError, ConnectionLostError].some((reason) => error instanceof reason)) {
    return unavailable(`The service ${endpoint.service} is out of reach, try again later`, cause);
  }
  if (!(error instanceof ReplyTimeoutError)) return error;
  return timedOut(`${endpoint.service} did not answer in time`, cause);
}
