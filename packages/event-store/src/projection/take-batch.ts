import type { DomainEvent } from '@mneme/contracts';
import { typeOf } from '../log/decode.ts';
import type { StoredMessage } from '../log/stored-message.ts';
import type { BufferLimits } from './buffer.ts';
import type { Linger } from './projection-options.ts';
import type { ProjectionRun } from './projection-run.ts';

const idleMs = 500;

/** The messages to apply next, as many as are there; none after a time without any. */
export async function takeBatch<E extends DomainEvent>(run: ProjectionRun<E>): Promise<StoredMessage[]> {
  const { linger } = run.options;
  const messages = await run.feed.take(run.limits, idleMs);
  if (messages.length === 0) return messages;
  if (linger) await lingerOn(run, messages, linger);
  run.takenAt = performance.now();
  return messages;
}

/** Adds what follows, until something comes that is not to be kept waiting. */
async function lingerOn<E extends DomainEvent>(
  { feed, limits, takenAt }: ProjectionRun<E>,
  messages: StoredMessage[],
  { after, forMs, isPaced = false }: Linger,
): Promise<void> {
  const isUnhurried = (message: StoredMessage) => after.includes(typeOf(message) ?? '');
  const until = (isPaced ? takenAt : performance.now()) + forMs;
  for (let latest = messages; latest.every(isUnhurried); messages.push(...latest)) {
    const leftMs = until - performance.now();
    const room = roomBeside(messages, limits);
    if (leftMs <= 0 || !room || feed.hasEnded()) break;
    latest = await feed.take(room, leftMs);
  }
}

function roomBeside(messages: readonly StoredMessage[], limits: BufferLimits): BufferLimits | undefined {
  const bytes = messages.reduce((sum, { data }) => sum + data.byteLength, 0);
  const room = { messages: limits.messages - messages.length, bytes: limits.bytes - bytes };
  return room.messages > 0 && room.bytes > 0 ? room : undefined;
}
