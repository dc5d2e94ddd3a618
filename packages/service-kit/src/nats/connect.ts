import { setTimeout as delay } from 'node:timers/promises';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { settlesWithin } from '../process/bounded.ts';
import type { Logger } from '../process/logger.ts';
import { natsAddress } from './address.ts';
import { watchLink } from './link.ts';

/** How long a start waits for NATS unless told otherwise, in milliseconds. */
const defaultStartTimeoutMs = 30_000;
const firstRetryMs = 100;
const longestRetryMs = 2_000;
/** How long closing waits for the server, in milliseconds. */
const closeTimeoutMs = 3_000;

export interface ConnectNatsOptions {
  /** One address, or several separated by commas, with a credential where the server asks for one. */
  readonly url: string;
  /** Shown by the server in its list of connections. */
  readonly name: string;
  readonly logger: Logger;
  /** How long to wait for the server to come up, in milliseconds. */
  readonly startTimeoutMs?: number;
}

/** NATS did not answer while a service started. */
export class NatsUnreachableError extends Error {
  override readonly name = 'NatsUnreachableError';
}

/**
 * Connects to NATS, and keeps connecting for as long as the process lives.
 * @throws NatsUnreachableError when no server answers within `startTimeoutMs`.
 */
export async function connectNats(options: ConnectNatsOptions): Promise<NatsConnection> {
  const connection = await connectUntil(options, Date.now() + (options.startTimeoutMs ?? defaultStartTimeoutMs));
  watchLink(connection, {
    onLost: () => options.logger.warn('Lost the connection to NATS'),
    onBack: () => options.logger.info('Connected to NATS again'),
  });
  return connection;
}

/** Sends what is still to be sent and closes; a server that is away is not waited for. */
export async function closeNats(connection: NatsConnection): Promise<void> {
  if (connection.isClosed()) return;
  const isDrained = await settlesWithin(connection.drain(), closeTimeoutMs);
  if (!isDrained) await connection.close();
}

async function connectUntil(options: ConnectNatsOptions, deadline: number): Promise<NatsConnection> {
  const address = natsAddress(options.url);
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
    try {
      return await connect({
        ...address,
        name: options.name,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 250,
        reconnectJitter: 250,
        // A server that vanished without closing the socket is noticed within half a minute.
        pingInterval: 10_000,
        maxPingOut: 2,
        timeout: 5_000,
        // Else every request makes an error in advance, for its stack, which costs a tenth of what the request takes.
        noAsyncTraces: true,
      });
    } catch (error) {
      if (Date.now() + retryMs > deadline) throw unreachable(address.servers, error);
      await delay(retryMs);
    }
  }
}

function unreachable(servers: readonly string[], cause: unknown): NatsUnreachableError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NatsUnreachableError(`NATS at ${servers.join(', ')} cannot be reached: ${reason}`, { cause });
}
