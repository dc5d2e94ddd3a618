import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

/** All that a JetStream stream holds, headers and data, as text. */
export async function messagesOf(connection: NatsConnection, stream: string): Promise<string[]> {
  const manager = await jetstreamManager(connection);
  const { first_seq, last_seq } = (await manager.streams.info(stream)).state;
  const found: string[] = [];
  for (let seq = first_seq; seq <= last_seq; seq += 1) {
    const message = await manager.streams.getMessage(stream, { seq });
    if (message) found.push(`${message.subject} ${message.header} ${message.string()}`);
  }
  return found;
}
