import {
  type NatsConnection,
  NoRespondersError,
  RequestError,
  type Subscription,
  TimeoutError,
} from '@nats-io/nats-core';

/** One instance of a service. */
export interface ServiceIdentity {
  readonly name: string;
  readonly id: string;
  readonly version: string;
}

type Verb = 'PING' | 'INFO' | 'STATS';

/**
 * Answers discovery requests of the NATS services convention (ADR-32), so that tools such as `nats micro ls` find the
 * service: each verb for all services, for services of this name, and for this instance.
 * @param describe the fields of a verb's answer beside the standard ones
 * @returns the subscriptions
 */
export function answerDiscovery(
  connection: NatsConnection,
  identity: ServiceIdentity,
  describe: Readonly<Record<Verb, () => Readonly<Record<string, unknown>>>>,
): Subscription[] {
  const { name, id, version } = identity;
  return (Object.keys(describe) as Verb[]).flatMap((verb) => {
    const type = `io.nats.micro.v1.${verb.toLowerCase()}_response`;
    const subjects = [`$SRV.${verb}`, `$SRV.${verb}.${name}`, `$SRV.${verb}.${name}.${id}`];
    return subjects.map((subject) =>
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (error) return;
          message.respond(JSON.stringify({ type, name, id, version, metadata: {}, ...describe[verb]() }));
        },
      }),
    );
  });
}

/** Whether any instance of the service `name` answers within `timeoutMs`. */
export async function pingService(connection: NatsConnection, name: string, timeoutMs = 1_000): Promise<boolean> {
  return (await lookForService(connection, name, timeoutMs)) === 'answers';
}

/**
 * What a ping finds of a service: an instance that answers; none, as the server says; or nothing in time, because those that are
 * there are slow or stand still, or the server cannot be asked.
 */
export type FoundService = 'answers' | 'none' | 'silent';

/** Looks for any instance of the service `name`. */
export async function lookForService(
  connection: NatsConnection,
  name: string,
  timeoutMs = 1_000,
): Promise<FoundService> {
  try {
    await connection.request(`$SRV.PING.${name}`, '', { timeout: timeoutMs });
    return 'answers';
  } catch (error) {
    const isNone = error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
    return isNone ? 'none' : 'silent';
  }
}

/** The most instances of one service that are listed. */
const maxInstances = 256;
/** How long others are waited for after an instance has answered, in milliseconds. */
const otherStallMs = 500;

interface PingReply {
  readonly id: string;
  /** Empty in earlier releases, which leave no request to others. */
  readonly metadata?: { readonly able?: string };
}

/** What an instance tells of itself in the answer to a ping. The convention knows only texts. */
export function metadataOf(isAble: boolean): { readonly metadata: NonNullable<PingReply['metadata']> } {
  return { metadata: isAble ? {} : { able: 'false' } };
}

/** Whether an instance of the service `name`, other than the one with this id, says within `timeoutMs` that it can answer requests. */
export async function isAnsweredByOther(
  connection: NatsConnection,
  { name, id }: Pick<ServiceIdentity, 'name' | 'id'>,
  timeoutMs = 1_000,
): Promise<boolean> {
  const options = { strategy: 'stall', maxWait: timeoutMs, stall: otherStallMs, maxMessages: maxInstances } as const;
  let isFound = false;
  try {
    for await (const message of await connection.requestMany(`$SRV.PING.${name}`, '', options)) {
      const reply = message.json<PingReply>();
      isFound ||= reply.id !== id && reply.metadata?.able !== 'false';
    }
  } catch {
    // Without an answer there is nothing to rely upon.
  }
  return isFound;
}

/** An instance of a service, and what it has done since its start. */
export interface ServiceInstance extends ServiceIdentity {
  /** ISO 8601 in UTC. */
  readonly started: string;
  readonly requests: number;
  readonly errors: number;
}

/** The instances of the service `name` that answer within `timeoutMs`; after the first, others are waited for `stallMs`. */
export async function findInstances(
  connection: NatsConnection,
  name: string,
  { timeoutMs = 1_000, stallMs = 200 }: { readonly timeoutMs?: number; readonly stallMs?: number } = {},
): Promise<ServiceInstance[]> {
  const options = { strategy: 'stall', maxWait: timeoutMs, stall: stallMs, maxMessages: maxInstances } as const;
  const found: ServiceInstance[] = [];
  try {
    for await (const message of await connection.requestMany(`$SRV.STATS.${name}`, '', options)) {
      const { id, version, started, endpoints } = message.json<StatisticsReply>();
      const sum = (of: 'num_requests' | 'num_errors') => endpoints.reduce((total, each) => total + each[of], 0);
      found.push({ name, id, version, started, requests: sum('num_requests'), errors: sum('num_errors') });
    }
  } catch (error) {
    // No service listens, or no one answered in time.
    if (!(error instanceof NoRespondersError || error instanceof RequestError || error instanceof TimeoutError))
      throw error;
  }
  return found;
}

interface StatisticsReply extends ServiceIdentity {
  readonly started: string;
  readonly endpoints: readonly EndpointStatisticsReport[];
}

/** The part of a `$SRV.STATS` answer about one endpoint. Times are in nanoseconds, as the convention requires. */
interface EndpointStatisticsReport {
  readonly name: string;
  readonly subject: string;
  readonly queue_group: string;
  readonly num_requests: number;
  readonly num_errors: number;
  readonly last_error: string;
  readonly processing_time: number;
  readonly average_processing_time: number;
}

/** Counts the requests of one endpoint of one instance. */
export class EndpointStatistics {
  #requests = 0;
  #errors = 0;
  #lastError = '';
  #processingMs = 0;

  record(elapsedMs: number, error: { status: number; message: string } | undefined): void {
    this.#requests += 1;
    this.#processingMs += elapsedMs;
    if (!error) return;
    this.#errors += 1;
    this.#lastError = `${error.status}:${error.message}`;
  }

  report(endpoint: { name: string; subject: string; queueGroup: string }): EndpointStatisticsReport {
    const nanoseconds = Math.round(this.#processingMs * 1e6);
    return {
      name: endpoint.name,
      subject: endpoint.subject,
      queue_group: endpoint.queueGroup,
      num_requests: this.#requests,
      num_errors: this.#errors,
      last_error: this.#lastError,
      processing_time: nanoseconds,
      average_processing_time: this.#requests === 0 ? 0 : Math.trunc(nanoseconds / this.#requests),
    };
  }
}
