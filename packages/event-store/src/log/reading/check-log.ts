import { AckPolicy, type Consumer, DeliverPolicy, jetstream } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { type Log, reading } from '../log.ts';
import { assertNoneLost } from './consumer-losses.ts';
import { nextSequence } from './leader-read.ts';

/** What a stream gives to its readers, compared with what it says that it has. */
export interface LogCheck {
  /** The sequence of the last message; 0 when there never was one. */
  readonly head: number;
  /** How many messages were read. */
  readonly read: number;
  /** Sequences of messages that were not deleted and that no reader gets, in order. */
  readonly unreadable: readonly number[];
}

/** From one sequence up to another one, both included. */
type Range = readonly [from: number, upTo: number];

const pageSize = 1_000;
const fetchExpiryMs = 1_000;
/** After so many fetches in a row without a message the server is taken for one that does not answer. */
const maxSilences = 20;
const abandonedAfterMs = 30_000;

/**
 * Reads every message that a stream has now, without its data, and tells which are missing. NATS hands out nothing in place
 * of a message that it cannot read, because its file is damaged; it counts it, and does not list it as deleted. Messages that
 * a file lost at its end are not counted either: compare `head` with what it was.
 * @throws EventLogUnavailableError when the log does not answer
 */
export function checkLog(log: Log): Promise<LogCheck> {
  return reading(log, async () => {
    const manager = await log.manager();
    const before = (await manager.streams.info(log.stream)).state;
    const { first_seq, last_seq: head } = before;
    const { name } = await manager.consumers.add(log.stream, {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.All,
      headers_only: true,
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: nanos(abandonedAfterMs),
    });
    try {
      const consumer = await jetstream(log.connection).consumers.get(log.stream, name);
      const { read, missing } = await readAll(log, consumer, [first_seq, head]);
      // The list of the deleted ones may have millions of entries; usually their number says all.
      const { num_deleted = 0 } = (await manager.streams.info(log.stream)).state;
      const lacking = missing.reduce((sum, [from, upTo]) => sum + upTo - from + 1, 0);
      if (lacking === num_deleted && lacking === (before.num_deleted ?? 0)) return { head, read, unreadable: [] };
      // Asked afterwards, so that what is erased meanwhile is among the deleted ones.
      const { state } = await manager.streams.info(log.stream, { deleted_details: true });
      const deleted = new Set(state.deleted);
      const unreadable: number[] = [];
      for (const [from, upTo] of missing) {
        for (let sequence = Math.max(from, state.first_seq); sequence <= upTo; sequence += 1)
          if (!deleted.has(sequence)) unreadable.push(sequence);
      }
      return { head, read, unreadable };
    } finally {
      await manager.consumers.delete(log.stream, name).catch(() => undefined);
    }
  });
}

async function readAll(
  log: Log,
  consumer: Consumer,
  [first, head]: Range,
): Promise<{ read: number; missing: Range[] }> {
  const missing: Range[] = [];
  let [read, upTo, silences] = [0, Math.max(first, 1) - 1, 0];
  while (upTo < head) {
    const before = read;
    // Not until the number of pending messages is 0: those that cannot be read are among them.
    for await (const { seq, info } of await consumer.fetch({ max_messages: pageSize, expires: fetchExpiryMs })) {
      assertNoneLost(info.deliverySequence - 1, read);
      if (seq > upTo + 1) missing.push([upTo + 1, seq - 1]);
      upTo = seq;
      read += 1;
      if (upTo >= head) break;
    }
    if (read > before) {
      silences = 0;
      continue;
    }
    assertNoneLost((await consumer.info()).delivered.consumer_seq, read);
    const next = await nextSequence(log, '>', upTo + 1);
    if (next === undefined || next > head) break;
    silences += 1;
    if (silences > maxSilences) throw new Error(`The server does not hand out the message at ${next}`);
  }
  if (upTo < head) missing.push([upTo + 1, head]);
  return { read, missing };
}
