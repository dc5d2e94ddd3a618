import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager, type StreamState } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { type Log, reading } from '../log.ts';
import { assertNoneLost } from './consumer-losses.ts';
import { nextReadable } from './next-readable.ts';

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
/** The list of the deleted messages comes in one answer, however long it is; six million take 1.5 s. */
const listTimeoutMs = 60_000;
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
    const { read, missing } = await readAll(log, [first_seq, head]);
    // The list of the deleted ones may have millions of entries; usually their number says all.
    const { num_deleted = 0 } = (await manager.streams.info(log.stream)).state;
    const lacking = missing.reduce((sum, [from, upTo]) => sum + upTo - from + 1, 0);
    if (lacking === num_deleted && lacking === (before.num_deleted ?? 0)) return { head, read, unreadable: [] };
    // Asked afterwards, so that what is erased meanwhile is among the deleted ones.
    const patient = await jetstreamManager(log.connection, { checkAPI: false, timeout: listTimeoutMs });
    const { state } = await patient.streams.info(log.stream, { deleted_details: true });
    return { head, read, unreadable: withoutDeleted(missing, state) };
  });
}

/** The server lists the deleted ones in order. A Set takes no more than 16.7 million. */
function withoutDeleted(missing: readonly Range[], { first_seq, deleted = [] }: StreamState): number[] {
  const left: number[] = [];
  let index = 0;
  for (const [from, upTo] of missing) {
    for (let sequence = Math.max(from, first_seq); sequence <= upTo; sequence += 1) {
      while ((deleted[index] ?? sequence) < sequence) index += 1;
      if (deleted[index] !== sequence) left.push(sequence);
    }
  }
  return left;
}

async function readAll(log: Log, [first, head]: Range): Promise<{ read: number; missing: Range[] }> {
  const missing: Range[] = [];
  let [read, upTo, silences] = [0, Math.max(first, 1) - 1, 0];
  while (upTo < head) {
    const next = await nextReadable(log, '>', upTo + 1);
    if (next === undefined || next > head) break;
    if (silences > maxSilences) throw new Error(`The server does not hand out the message at ${next}`);
    silences += 1;
    for await (const sequence of handedOut(log, next)) {
      if (sequence > upTo + 1) missing.push([upTo + 1, sequence - 1]);
      upTo = sequence;
      read += 1;
      silences = 0;
      if (upTo >= head) break;
    }
  }
  if (upTo < head) missing.push([upTo + 1, head]);
  return { read, missing };
}

/**
 * The sequences of what a consumer hands out from a sequence on, until it hands out nothing. The number of pending messages
 * would be no end: those that cannot be read are among them, and it does not go on behind a file that cannot be read.
 */
async function* handedOut(log: Log, from: number): AsyncGenerator<number> {
  const manager = await log.manager();
  const { name } = await manager.consumers.add(log.stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: from,
    headers_only: true,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: nanos(abandonedAfterMs),
  });
  try {
    const consumer = await jetstream(log.connection).consumers.get(log.stream, name);
    for (let [read, before] = [0, -1]; read > before; ) {
      before = read;
      for await (const { seq, info } of await consumer.fetch({ max_messages: pageSize, expires: fetchExpiryMs })) {
        assertNoneLost(info.deliverySequence - 1, read);
        read += 1;
        yield seq;
      }
      if (read === before) assertNoneLost((await consumer.info()).delivered.consumer_seq, read);
    }
  } finally {
    await manager.consumers.delete(log.stream, name).catch(() => undefined);
  }
}
