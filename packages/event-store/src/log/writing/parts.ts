import type { NatsConnection } from '@nats-io/nats-core';

/** Kept free for headers, whose free-text parts may be percent-encoded. */
const headroomBytes = 16 * 1024;
/** What a server takes unless it is configured otherwise. */
const defaultMaxPayload = 1024 * 1024;

const lastMaxPayload = new WeakMap<NatsConnection, number>();

/**
 * How many bytes the server takes in one message, headers included. While a connection is lost, which knows nothing of its
 * server then, it is what was known when this was last asked. Ask each time: a reconnect may lead to another server.
 */
export function maxPayload(connection: NatsConnection): number {
  const bytes = connection.info?.max_payload ?? lastMaxPayload.get(connection) ?? defaultMaxPayload;
  lastMaxPayload.set(connection, bytes);
  return bytes;
}

/** How many bytes one event's data may take on the connected server. */
export function maxEventBytes(connection: NatsConnection): number {
  return maxPayload(connection) - headroomBytes;
}

/**
 * Cuts a list into runs that fit, in order. Used to make the parts of an event that is larger than one message.
 * @param sizeOf the bytes of one item as it is written, separators included.
 * @returns at least one run per item list that is not empty; an item that is too large by itself gets a run of its own.
 */
export function splitBySize<T>(items: readonly T[], sizeOf: (item: T) => number, maxBytes: number): T[][] {
  const runs: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const run = runs.at(-1);
    if (run && bytes + size <= maxBytes) {
      run.push(item);
      bytes += size;
    } else {
      runs.push([item]);
      bytes = size;
    }
  }
  return runs;
}
