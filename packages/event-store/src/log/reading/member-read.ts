import { setTimeout as pause } from 'node:timers/promises';
import { AckPolicy, type ConsumerInfo, DeliverPolicy, jetstream } from '@nats-io/jetstream';
import { errors, nanos, nuid } from '@nats-io/nats-core';
import type { Log } from '../log.ts';
import { lastSequence } from './leader-read.ts';
import { standingOf } from './member-standing.ts';
import { nextReadable, searchReadable } from './next-readable.ts';
import type { Range } from './ranges.ts';
import { assertNoneLost } from './read-headers.ts';

/** The messages of a stream that one server is read for. */
export interface MemberQuery {
  /** The name of the server in its cluster; undefined where only one keeps the stream. */
  readonly server: string | undefined;
  readonly from: number;
  readonly upTo: number;
}

const pageSize = 1_000;
const fetchExpiryMs = 1_000;
/** After this many fetches in a row without a message, the server counts as one that does not answer. */
const maxSilences = 20;
/** How long the other servers may take to know where a new consumer is. */
const spreadMs = 20;
const abandonedAfterMs = 30_000;
/** The most tries to get a consumer on a certain server. NATS takes any that runs: a fifth is missed by all with a probability of 2e-10. */
const maxPlacements = 100;
/** What comes to the leader while it is read may come to another server a moment later. */
const replicationMs = 500;

/**
 * Reads messages from one server, without their data. It must not be catching up with its leader.
 * @returns what it does not give
 * @throws MemberAwayError when no consumer gets to it
 */
export async function readMember(log: Log, { server, from, upTo: head }: MemberQuery): Promise<Range[]> {
  const missing: Range[] = [];
  let [upTo, silences, pauses] = [Math.max(from, 1) - 1, 0, 0];
  while (upTo < head) {
    const next = await nextFrom(log, server, upTo + 1);
    if (next === undefined && server !== undefined && pauses === 0) {
      pauses += 1;
      await pause(replicationMs);
      continue;
    }
    if (next === undefined || next > head) break;
    if (silences > maxSilences) throw new Error(`The server does not hand out the message at ${next}`);
    silences += 1;
    for await (const sequence of handedOut(log, server, next)) {
      if (sequence > upTo + 1) missing.push([upTo + 1, Math.min(sequence - 1, head)]);
      upTo = sequence;
      [silences, pauses] = [0, 0];
      if (upTo >= head) break;
    }
  }
  if (upTo < head) missing.push([upTo + 1, head]);
  return missing;
}

/** The first sequence that the server can read from one on. */
function nextFrom(log: Log, server: string | undefined, from: number): Promise<number | undefined> {
  if (server === undefined) return nextReadable(log, '>', from);
  return searchReadable(from, {
    next: (asked) => firstHandedOut(log, server, asked),
    last: () => lastSequence(log, '>'),
  });
}

/**
 * The sequences of what a consumer hands out from a sequence on, until it hands out nothing. The number of pending messages
 * would be no end: those that cannot be read are among them, and it does not go on behind a file that cannot be read.
 */
async function* handedOut(log: Log, server: string | undefined, from: number): AsyncGenerator<number> {
  const name = await placeConsumer(log, server, from);
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
    await removeConsumer(log, name);
  }
}

/** The same for the first one only, without a wait where there is none. */
async function firstHandedOut(log: Log, server: string, from: number): Promise<number | undefined> {
  for (let silences = 0; ; silences += 1) {
    const name = await placeConsumer(log, server, from);
    try {
      const status = await askForOne(log, name);
      if (status === 404) return undefined;
      if (status === 0) return (await (await log.manager()).consumers.info(log.stream, name)).delivered.stream_seq;
      throw new Error(`The server refused to hand out a message: ${status}`);
    } catch (error) {
      // Whether the request or the message was lost is not known, so that this consumer may have gone on.
      if (!(error instanceof errors.TimeoutError) || silences === maxSilences) throw error;
      await assertThere(log, server);
    } finally {
      await removeConsumer(log, name);
    }
  }
}

/** @returns the status that came: 0 with a message, 404 when there is none */
async function askForOne({ connection, stream }: Log, consumer: string): Promise<number> {
  const request = JSON.stringify({ batch: 1, no_wait: true });
  // A message keeps its own subject, by which the inbox that requests share would not know it.
  const options = { timeout: fetchExpiryMs, noMux: true };
  for (let tries = 1; ; tries += 1) {
    try {
      const { headers } = await connection.request(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, request, options);
      return headers?.code ?? 0;
    } catch (error) {
      const isUnknown = error instanceof errors.RequestError && error.isNoResponders();
      if (!isUnknown || tries === maxSilences) throw error;
      await pause(spreadMs);
    }
  }
}

/** A server that keeps the stream gives nothing of it. */
export class MemberAwayError extends Error {
  override readonly name = 'MemberAwayError';
}

/** What a server that was killed is asked for runs into timeouts, one after the other. */
async function assertThere(log: Log, server: string): Promise<void> {
  const standing = await standingOf(log, server);
  if (standing !== 'current') throw new MemberAwayError(`${server} is ${standing} while ${log.stream} is read from it`);
}

/** Makes a consumer on the server. A consumer of one replica cannot be placed, so they are made until one is where it should be. */
async function placeConsumer(log: Log, server: string | undefined, from: number): Promise<string> {
  for (let [tries, silences] = [1, 0]; tries <= maxPlacements; tries += 1) {
    const name = `check-${nuid.next()}`;
    try {
      const { cluster } = await makeConsumer(log, name, from);
      if (server === undefined || cluster?.leader === server) return name;
      await removeConsumer(log, name);
    } catch (error) {
      // It may be made later on. No one answers where it is on a server that was killed.
      void removeConsumer(log, name);
      // For some time NATS places consumers on a server that was killed as well.
      if (server === undefined || !(error instanceof errors.TimeoutError) || silences === maxSilences) throw error;
      silences += 1;
      await assertThere(log, server);
    }
  }
  throw new MemberAwayError(`No consumer of ${log.stream} gets to ${server}`);
}

async function makeConsumer(log: Log, name: string, from: number): Promise<ConsumerInfo> {
  return (await log.manager()).consumers.add(log.stream, {
    name,
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: from,
    headers_only: true,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: nanos(abandonedAfterMs),
  });
}

async function removeConsumer(log: Log, name: string): Promise<void> {
  const removed = log.manager().then((manager) => manager.consumers.delete(log.stream, name));
  await removed.catch(() => undefined);
}
