import { JetStreamApiError, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { typeOf } from '../log/decode.ts';
import { reading, type StoredMessage } from '../log/log.ts';
import { readHeaders } from '../log/reading/read-headers.ts';

/** A stored message as far as it can be told without its data. */
export interface Trace {
  readonly sequence: number;
  readonly subject: string;
  /** Undefined for a message that is no event. */
  readonly type: string | undefined;
}

/** Takes messages out of a JetStream stream, and their bytes off its disks. */
export interface Eraser {
  /**
   * What stands under a pattern now, in order. All of it is held in memory.
   * @param options.limit how many messages to read at most, the first ones; all of them unless given.
   */
  find(pattern: string, options?: { readonly limit?: number }): Promise<Trace[]>;
  /**
   * Erases messages; those that are gone already do no harm. A purge would be faster, but leaves the bytes in the
   * stream's files for as long as the file has other messages. The server overwrites a message by writing the file of
   * up to 8 MiB that it stands in, which takes some 20 ms; so this is for the little that must not stay.
   * @param options.atOnce how many of them the server is asked for at a time. Others wait for it meanwhile, so that 4,
   * which is so unless given, is for erasures that a caller waits for.
   * @throws EventLogUnavailableError when the log does not answer; some may be erased then.
   */
  erase(sequences: readonly number[], options?: { readonly atOnce?: number }): Promise<void>;
}

/** Enough that the server never waits for the next request. */
const requestsAtOnce = 4;
/** A purge of millions takes its time. */
const purgeTimeoutMs = 60_000;
const requestTimeoutMs = 10_000;
/** The server's reply to the deletion of a message that is not there. */
const notFoundCodes: ReadonlySet<number> = new Set([10037, 10043, 10057]);

export function openEraser(connection: NatsConnection, stream: string): Eraser {
  return {
    find: (pattern, { limit } = {}) => readHeaders(connection, { stream, subject: pattern, pick: toTrace, limit }),
    erase: (sequences, { atOnce = requestsAtOnce } = {}) =>
      reading({ stream }, async () => {
        const manager = await jetstreamManager(connection, { checkAPI: false, timeout: requestTimeoutMs });
        const left = [...sequences].reverse();
        await Promise.all(Array.from({ length: atOnce }, () => eraseAll(manager, stream, left)));
      }),
  };
}

/**
 * Takes all messages of a subject out, however many, in one step. Their bytes stay in the files that they share with
 * others, until the server writes those anew because most of what is in them is gone.
 * @throws EventLogUnavailableError when the log does not answer; they may be gone then.
 */
export function purgeSubject(connection: NatsConnection, stream: string, subject: string): Promise<void> {
  return reading({ stream }, async () => {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: purgeTimeoutMs });
    await manager.streams.purge(stream, { filter: subject });
  });
}

function toTrace(message: StoredMessage): Trace {
  return { sequence: message.sequence, subject: message.subject, type: typeOf(message) };
}

async function eraseAll(manager: JetStreamManager, stream: string, left: number[]): Promise<void> {
  for (let sequence = left.pop(); sequence !== undefined; sequence = left.pop()) {
    try {
      await manager.streams.deleteMessage(stream, sequence, true);
    } catch (error) {
      if (!(error instanceof JetStreamApiError && notFoundCodes.has(error.code))) throw error;
    }
  }
}
