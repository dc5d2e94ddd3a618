import { randomUUID } from 'node:crypto';
import type { Endpoint, WireError } from '@mneme/contracts';
import { inSpan, markFailed } from '@mneme/telemetry';
import type { Msg, NatsConnection, Subscription } from '@nats-io/nats-core';
import { busy, classify, outdated, stopping, toErrorReply } from '../errors/error-replies.ts';
import type { Logger } from '../process/logger.ts';
import type { Metrics } from '../process/metrics.ts';
import { settlesWithin } from '../process/shutdown.ts';
import { Standstill } from '../process/standstill.ts';
import { version } from '../process/version.ts';
import { cancelSubject, heartbeatHeaders, readRequestHeaders, writeErrorHeaders } from '../request-reply/headers.ts';
import { type Admission, createAdmission, requesterOf } from './admission.ts';
import { answerDiscovery, EndpointStatistics, metadataOf, type ServiceIdentity } from './discovery.ts';
import { ReplySender } from './reply-sender.ts';
import { parseRequest, type RequestContext, type RequestHandler, RunningRequest } from './request.ts';

/** Requests that one instance works on concurrently. Generous, since most of them wait for a store or for a position. */
const defaultPlaces = 12_288;
/** How long `stop` lets running requests complete, in milliseconds. */
const stopTimeoutMs = 6_000;
/** A caller who gives up says so; the message may be lost when NATS has closed the connection of a process that stands still. */
const oldestMs = 10_000;
/** However often a caller wants to hear that its request is worked on, in milliseconds. */
const shortestHeartbeatMs = 50;
/** How long `stop` and `leave` wait for the server to confirm the end of the subscriptions, in milliseconds. */
const drainTimeoutMs = 2_000;

export interface ServiceOptions {
  readonly connection: NatsConnection;
  /** Letters, digits, `-` and `_`; also the queue group, so that instances share the requests. */
  readonly name: string;
  /** Semantic version; that of Mneme unless given. */
  readonly version?: string;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** How many requests run concurrently, 12,288 unless given. One agent has a third of them at most, and one space half. */
  readonly places?: number;
  /** Maps an error of the domain to the reply to the caller; undefined leaves it to the defaults. */
  readonly mapError?: (error: unknown) => WireError | undefined;
  /** Whether other instances may leave requests to this one; true unless given. */
  readonly isAble?: () => boolean;
}

export interface Service {
  readonly id: string;
  /** Listens for requests to `endpoint`. Requests run concurrently; a slow one delays no other. */
  serve<Req, Rep>(endpoint: Endpoint<Req, Rep>, handler: RequestHandler<Req, Rep>): void;
  /**
   * Makes the service discoverable, by `pingService` and by tools. Call it once, after all endpoints are served: a caller
   * that discovers a service may send requests to it at once.
   */
  announce(): void;
  /**
   * Leaves requests to the other instances: takes no more of them and is not discoverable, until `rejoin`. Running requests go on.
   * Only for a service that is announced.
   */
  leave(): Promise<void>;
  /** Takes requests again after `leave`, and is discoverable. */
  rejoin(): void;
  /** Takes no more requests, lets the running ones complete (6 s at most), then aborts the rest: their callers are told to try again. */
  stop(): Promise<void>;
}

/** Starts a service that answers requests over NATS; once announced, the NATS services convention finds it. */
export function startService(options: ServiceOptions): Service {
  return new NatsService(options);
}

interface Served {
  readonly endpoint: Endpoint;
  readonly handler: RequestHandler<never, unknown>;
  readonly statistics: EndpointStatistics;
}

class NatsService implements Service {
  readonly #options: ServiceOptions;
  readonly #identity: ServiceIdentity;
  readonly #served: Served[] = [];
  /** To requests, and to discovery: first, so that a service which stops or leaves is not discoverable before it stops answering. */
  readonly #subscriptions: Subscription[] = [];
  readonly #cancels: Subscription[] = [];
  readonly #started = new Date().toISOString();
  /** By reply subject, which identifies a request. */
  readonly #running = new Map<string, RunningRequest>();
  readonly #admission: Admission;
  readonly #durations;
  readonly #replies: ReplySender;
  readonly #standstill = new Standstill();
  #onIdle: (() => void) | undefined;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#admission = createAdmission(options.places ?? defaultPlaces);
    this.#identity = { name: options.name, version: options.version ?? version, id: randomUUID() };
    this.#durations = options.metrics?.histogram({
      name: 'mneme_service_request_duration_seconds',
      help: 'How long a service took to answer a request over NATS',
      labels: ['service', 'endpoint', 'status'],
    });
    this.#replies = new ReplySender(options.connection);
    this.#cancels.push(this.#listenForCancels());
  }

  get id(): string {
    return this.#identity.id;
  }

  serve<Req, Rep>(endpoint: Endpoint<Req, Rep>, handler: RequestHandler<Req, Rep>): void {
    const served: Served = { endpoint, handler, statistics: new EndpointStatistics() };
    this.#served.push(served);
    this.#listen(served);
  }

  announce(): void {
    // The server handles what one connection sends in order, so it knows the endpoints before these subjects.
    const discovery = answerDiscovery(this.#options.connection, this.#identity, {
      PING: () => metadataOf(this.#options.isAble?.() ?? true),
      INFO: () => ({ description: `Mneme ${this.#identity.name}`, endpoints: this.#describeEndpoints() }),
      STATS: () => ({ started: this.#started, endpoints: this.#reportEndpoints() }),
    });
    this.#subscriptions.unshift(...discovery);
  }

  async leave(): Promise<void> {
    const subscriptions = this.#subscriptions.splice(0);
    // What NATS has sent already is answered. A server that has gone silent is noticed after half a minute only.
    const drained = Promise.allSettled(subscriptions.map((subscription) => subscription.drain()));
    await settlesWithin(drained, drainTimeoutMs);
  }

  rejoin(): void {
    for (const served of this.#served) this.#listen(served);
    this.announce();
  }

  async stop(): Promise<void> {
    const subscriptions = [...this.#subscriptions.splice(0), ...this.#cancels.splice(0)];
    const { promise: idle, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    if (!this.#options.connection.isClosed()) {
      // A drain would wait for a server that is away.
      const drained = Promise.all(subscriptions.map((subscription) => subscription.drain()));
      await settlesWithin(drained, drainTimeoutMs);
    }
    if (this.#running.size > 0) await settlesWithin(idle, stopTimeoutMs);
    for (const request of this.#running.values()) request.abort(stopping(this.#identity.name));
    this.#replies.close();
    this.#standstill.stop();
  }

  #listen(served: Served): void {
    const { connection, name, logger } = this.#options;
    const { subject } = served.endpoint;
    const subscription = connection.subscribe(subject, {
      queue: name,
      callback: (error, message) => {
        if (error) logger.error({ err: error }, `Cannot listen on ${subject}`);
        else void this.#answer(served, message);
      },
    });
    this.#subscriptions.push(subscription);
  }

  #answer(served: Served, message: Msg): Promise<void> {
    const { name } = this.#identity;
    const attributes = { 'rpc.system': 'nats', 'rpc.service': name, 'rpc.method': served.endpoint.name };
    const parent = readRequestHeaders(message.headers).traceparent ?? null;
    return inSpan(`answer ${served.endpoint.name}`, { by: name, kind: 'SERVER', attributes, parent }, async (span) => {
      const refusal = await this.#work(served, message);
      if (refusal && refusal.status >= 500) markFailed(span, refusal.code);
    });
  }

  /** @returns what the request was refused with */
  async #work(served: Served, message: Msg): Promise<WireError | undefined> {
    const startedAt = performance.now();
    const running = new RunningRequest(message);
    const key = message.reply ?? randomUUID();
    let refusal: WireError | undefined;
    let leave: (() => void) | undefined;
    let endHeartbeats: (() => void) | undefined;
    try {
      const ageMs = this.#standstill.ageMs();
      if (ageMs >= Math.min(running.timeoutMs, oldestMs)) throw outdated(this.#identity.name, ageMs);
      // Before the request is read, which takes time.
      if (this.#admission.isFull) throw busy(this.#identity.name);
      const request = parseRequest(served.endpoint, message);
      leave = this.#admission.enter(requesterOf(request));
      if (!leave) throw busy(this.#identity.name);
      this.#running.set(key, running);
      endHeartbeats = this.#beginHeartbeats(message);
      const reply = await served.handler(request as never, running.context);
      await this.#replies.send(message, Buffer.from(JSON.stringify(reply ?? null)), running.context.signal);
    } catch (error) {
      refusal = this.#refuse(served, message, running.context, error);
    } finally {
      endHeartbeats?.();
      running.end();
      leave?.();
      this.#running.delete(key);
      this.#record(served, performance.now() - startedAt, refusal);
      if (this.#running.size === 0) this.#onIdle?.();
    }
    return refusal;
  }

  /** Tells a caller who wants to know that its request is worked on. */
  #beginHeartbeats({ headers, reply }: Msg): (() => void) | undefined {
    const { heartbeatMs } = readRequestHeaders(headers);
    const { connection } = this.#options;
    if (heartbeatMs === undefined || !reply) return undefined;
    const beat = () => {
      if (!connection.isClosed() && !connection.isDraining())
        connection.publish(reply, '', { headers: heartbeatHeaders() });
    };
    beat();
    const timer = setInterval(beat, Math.max(shortestHeartbeatMs, heartbeatMs));
    return () => clearInterval(timer);
  }

  #refuse(served: Served, message: Msg, context: RequestContext, error: unknown): WireError {
    const mapped = this.#options.mapError?.(error);
    const { refusal, isUnexpected } = mapped
      ? { refusal: mapped, isUnexpected: false }
      : classify(error, context.signal);
    if (isUnexpected) {
      const { correlationId: requestId } = context;
      this.#options.logger.error({ err: error, requestId }, `${served.endpoint.name} failed`);
    }
    const reply = toErrorReply(refusal);
    // When the connection itself has failed, no reply can be sent.
    if (message.reply && !this.#options.connection.isClosed()) {
      message.respond(JSON.stringify(reply), {
        headers: writeErrorHeaders(reply, isUnexpected ? this.#identity.name : undefined),
      });
    }
    return refusal;
  }

  #record(served: Served, elapsedMs: number, refusal: WireError | undefined): void {
    served.statistics.record(elapsedMs, refusal);
    this.#durations?.observe(
      { service: this.#identity.name, endpoint: served.endpoint.name, status: String(refusal?.status ?? 200) },
      elapsedMs / 1_000,
    );
  }

  #listenForCancels(): Subscription {
    return this.#options.connection.subscribe(cancelSubject(this.#identity.name), {
      callback: (error, message) => {
        if (!error) this.#running.get(message.string())?.abort(new Error('The caller has gone'));
      },
    });
  }

  #describeEndpoints() {
    return this.#served.map(({ endpoint: { name, subject } }) => {
      return { name, subject, queue_group: this.#identity.name, metadata: {} };
    });
  }

  #reportEndpoints() {
    const queueGroup = this.#identity.name;
    return this.#served.map(({ endpoint: { name, subject }, statistics }) => {
      return statistics.report({ name, subject, queueGroup });
    });
  }
}
