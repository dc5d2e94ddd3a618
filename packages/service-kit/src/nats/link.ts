import type { NatsConnection } from '@nats-io/nats-core';

export interface Link {
  /** False while the connection is lost and being made again, and once it is closed. */
  isUp(): boolean;
  stop(): void;
}

/** Watches whether a connection has its server; the connection itself does not tell. */
export function watchLink(
  connection: NatsConnection,
  listeners: { onLost?: (server: string) => void; onBack?: (server: string) => void } = {},
): Link {
  const statuses = connection.status()[Symbol.asyncIterator]();
  let isLost = false;

  const watch = async () => {
    for (let next = await statuses.next(); !next.done; next = await statuses.next()) {
      const status = next.value;
      if (status.type === 'disconnect') {
        isLost = true;
        listeners.onLost?.(status.server);
      } else if (status.type === 'reconnect') {
        isLost = false;
        listeners.onBack?.(status.server);
      }
    }
  };
  void watch();

  return { isUp: () => !isLost && !connection.isClosed(), stop: () => void statuses.return?.() };
}
