import type { NatsConnection } from '@nats-io/nats-core';

/** Calls back whenever a connection has found a server again, which may be another one, with another log. */
export function onReconnect(connection: NatsConnection, callback: () => void): { stop(): void } {
  const statuses = connection.status()[Symbol.asyncIterator]();
  const watch = async () => {
    for (let next = await statuses.next(); !next.done; next = await statuses.next()) {
      if (next.value.type === 'reconnect') callback();
    }
  };
  void watch();
  return { stop: () => void statuses.return?.() };
}
