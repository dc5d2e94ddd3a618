import type { DomainEvent } from '@mneme/contracts';
import { typeOf } from '../log/decode.ts';
import type { StoredMessage } from '../log/stored-message.ts';
import type { BufferLimits } from './buffer.ts';
import type { ProjectionRun } from './projection-run.ts';

const idleMs = 500;

/** The messages to apply next, as many as are there; none after a time without any. */
export async function takeBatch<E extends DomainEvent>({
  feed,
  limits,
  options: { linger },
}: ProjectionRun<E>): Promise<StoredMessage[]> {
  const messages = await feed.take(limits, idleMs);
  if (!linger || messages.length === 0) return messages;
  const isUnhurried = (message: StoredMessage) => linger.after.includes(typeOf(message) ?? '');
  const until = performance.now() + linger.forMs;
  for (let latest = messages; latest.every(isUnhurried); messages.push(...latest)) {
    const leftMs = until - performance.now();
    const room = roomBeside(messages, limits);
    if (leftMs <= 0 || !room || feed.hasEnded()) break;
    latest = await feed.take(room, leftMs);
  }
  return messages;
}

function roomBeside(messages: readonly StoredMessage[], limits: BufferLimits): BufferLimits | undefined {
  const bytes = messages.reduce((sum, { data }) => sum + data.byteLength, 0);
  const room = { messages: limits.messages - messages.length, bytes: limits.bytes - bytes };
  return room.messages > 0 && room.bytes > 0 ? room : undefined;
}
