import { AckPolicy, type Consumer, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/nats-core';
import { reading, type StoredMessage, storedFrom } from '../log/log.ts';

/** How many messages one request asks for. */
const pageSize = 1_000;
/** The shortest that the client allows. */
const fetchExpiryMs = 1_000;
const maxSilences = 10;
/** After so long without a request the server forgets the reader, should this process have died. */
const abandonedAfterMs = 30_000;

/**
 * Reads messages without their data: those that match a pattern now, in order.
 * @param pick what to keep of each; its headers are heavy.
 * @param limit how many messages to read at most, the first ones; all unless given.
 * @throws EventLogUnavailableError when the log does not answer, or the connection was lost with messages on their way.
 */
export function readHeaders<T>(
  connection: NatsConnection,
  stream: string,
  pattern: string,
  pick: (message: StoredMessage) => T,
  limit: number = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  return reading({ stream }, async () => {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { name, num_pending: count } = await manager.consumers.add(stream, {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.All,
      filter_subject: pattern,
      headers_only: true,
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: nanos(abandonedAfterMs),
    });
    try {
      const consumer = await jetstream(connection).consumers.get(stream, name);
      return await readAll(consumer, { count, limit }, pick);
    } finally {
      await manager.consumers.delete(stream, name).catch(() => undefined);
    }
  });
}

/** @param count how many there are; what is erased meanwhile does not come. */
async function readAll<T>(
  consumer: Consumer,
  { count, limit }: { readonly count: number; readonly limit: number },
  pick: (message: StoredMessage) => T,
): Promise<T[]> {
  const read: T[] = [];
  let silences = 0;
  for (let left = Math.min(count, limit); left > 0; ) {
    const messages = await consumer.fetch({ max_messages: Math.min(left, pageSize), expires: fetchExpiryMs });
    const before = read.length;
    for await (const message of messages) {
      assertNoneLost(message.info.deliverySequence - 1, read.length);
      read.push(pick(storedFrom(message)));
      left = Math.min(message.info.pending, limit - read.length);
    }
    if (read.length > before) continue;
    // Either nothing is left, or the server is slow; only the server knows.
    const { num_pending, delivered } = await consumer.info();
    assertNoneLost(delivered.consumer_seq, read.length);
    left = Math.min(num_pending, limit - read.length);
    silences += 1;
    if (silences > maxSilences) throw new Error(`The server has handed out none of ${left} messages`);
  }
  return read;
}

/** What is on its way when the connection breaks counts as delivered, and does not come again. */
function assertNoneLost(delivered: number, read: number): void {
  if (delivered !== read)
    throw new Error(`Of ${delivered} messages that were handed out, ${delivered - read} were lost`);
}
