import { natsLinkChanged } from '@mneme/telemetry';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { NodeTransport } from '@nats-io/transport-node/lib/node_transport.js';
import pRetry from 'p-retry';
import { messageOf } from '../errors/message-of.ts';
import type { Logger } from '../process/logger.ts';
import { settlesWithin } from '../process/shutdown.ts';
import { natsAddress } from './address.ts';

// Lets every connection that the NATS client gives up end at once. The client (3.4.0) first waits until all is written: a
// server that has vanished without closing the socket takes nothing, and the loss would not be noticed before the operating
// system gives the socket up, which takes some 15 minutes.
NodeTransport.prototype.disconnect = function disconnect() {
  void this.close();
};

/** How long a start waits for NATS by default, in milliseconds. */
const defaultStartTimeoutMs = 30_000;
const firstRetryMs = 100;
const longestRetryMs = 2_000;
/** How long closing waits for the server, in milliseconds. */
const closeTimeoutMs = 3_000;

export interface ConnectNatsOptions {
  /** One address, or several separated by commas, with credentials if the server requires them. */
  readonly url: string;
  /** Shown by the server in its list of connections. */
  readonly name: string;
  readonly logger: Logger;
  /** How long to wait for the server to come up, in milliseconds. */
  readonly startTimeoutMs?: number;
}

/** NATS did not answer while a service started. */
class NatsUnreachableError extends Error {
  override readonly name = 'NatsUnreachableError';
}

/**
 * Connects to NATS, and keeps reconnecting for as long as the process lives.
 * @throws NatsUnreachableError when no server answers within `startTimeoutMs`.
 */
export async function connectNats(options: ConnectNatsOptions): Promise<NatsConnection> {
  const { logger, startTimeoutMs = defaultStartTimeoutMs } = options;
  const address = natsAddress(options.url);
  const attempt = () =>
    connect({
      ...address,
      name: options.name,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      // A server that vanished without closing the socket is noticed within half a minute.
      pingInterval: 10_000,
      maxPingOut: 2,
      timeout: 5_000,
      // Credentials that are refused may be accepted again later, for example while they are being replaced.
      ignoreAuthErrorAbort: true,
      // Otherwise every request creates an error in advance, for its stack, which costs a tenth of the request's time.
      noAsyncTraces: true,
    });
  const retry = { retries: Number.POSITIVE_INFINITY, minTimeout: firstRetryMs, maxTimeout: longestRetryMs };
  const connection = await pRetry(attempt, { ...retry, maxRetryTime: startTimeoutMs }).catch((error: unknown) => {
    throw unreachable(address.servers, error);
  });
  const note = (state: 'up' | 'down' | 'closed') => natsLinkChanged.publish({ client: options.name, state });
  note('up');
  watchLink(connection, {
    onLost: () => {
      note('down');
      logger.warn('Lost the connection to NATS');
    },
    onBack: () => {
      note('up');
      logger.info('Connected to NATS again');
    },
  });
  void connection.closed().then(() => note('closed'));
  return connection;
}

/** Sends what is buffered and closes the connection, without waiting for a server that is away. */
export async function closeNats(connection: NatsConnection): Promise<void> {
  if (connection.isClosed()) return;
  // A drain fails when the server goes away meanwhile.
  const drained = connection.drain().catch(() => undefined);
  await settlesWithin(drained, closeTimeoutMs);
  if (!connection.isClosed()) await connection.close();
}

function unreachable(servers: readonly string[], cause: unknown): NatsUnreachableError {
  return new NatsUnreachableError(`NATS at ${servers.join(', ')} cannot be reached: ${messageOf(cause)}`, { cause });
}

/** Whether a connection has its server at the moment. */
export interface Link {
  /** False while the connection is lost or reconnecting, and after it was closed. */
  isUp(): boolean;
  stop(): void;
}

/** Watches whether a connection has its server; the NATS client has no property for it. */
export function watchLink(
  connection: NatsConnection,
  listeners: { onLost?: (server: string) => void; onBack?: (server: string) => void } = {},
): Link {
  const statuses = connection.status()[Symbol.asyncIterator]();
  let isLost = false;

  const watch = async () => {
    for (let next = await statuses.next(); !next.done; next = await statuses.next()) {
      const status = next.value;
      // While a server refuses the credentials, the client tells of each attempt, and of each again when it succeeds.
      if (status.type === 'disconnect' && !isLost) {
        isLost = true;
        listeners.onLost?.(status.server);
      } else if (status.type === 'reconnect' && isLost) {
        isLost = false;
        listeners.onBack?.(status.server);
      }
    }
  };
  void watch();

  return { isUp: () => !isLost && !connection.isClosed(), stop: () => void statuses.return?.() };
}
