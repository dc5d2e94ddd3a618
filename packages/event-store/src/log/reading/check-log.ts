import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager, type StreamState } from '@nats-io/jetstream';
import { type Log, reading } from '../log.ts';
import { MemberAwayError, readMember } from './member-read.ts';
import { hasCaughtUp, infoOf, noticedAfterMs, serversOf } from './member-standing.ts';
import { countOf, intersect, type Range, subtract } from './ranges.ts';

/** What a stream gives to its readers, compared with what it says that it has. */
export interface LogCheck {
  /** The sequence of the last message; 0 when there never was one. */
  readonly head: number;
  /** How many messages were read. */
  readonly read: number;
  /** Sequences of messages that were not deleted and that no reader gets, in order. */
  readonly unreadable: readonly number[];
  /** The servers that keep the stream, if there are several: readers get messages from any of them. */
  readonly members: readonly MemberCheck[];
}

/** What one server gives, compared with the others. */
export interface MemberCheck {
  /** Its name in the cluster. */
  readonly server: string;
  /** Where the messages are that another server gives and this one does not. */
  readonly lacking: readonly Range[];
  /** Whether it could not be read, since it is away or catches up with its leader, or became so meanwhile. */
  readonly isUnchecked: boolean;
}

/** The list of the deleted messages comes in one answer, however long it is; six million take 1.5 s. */
const listTimeoutMs = 60_000;
/** How often a server is read that is there and current, and cannot be read to the end. */
const maxTries = 3;

/**
 * Reads every message that a stream has now from every server that keeps it, without its data, and tells which are missing.
 * NATS hands out nothing in place of a message that it cannot read, because its file is damaged; it counts it, and does not
 * list it as deleted. Messages that a file lost at its end are not counted either: compare `head` with what it was.
 * @throws EventLogUnavailableError when the log does not answer
 */
export function checkLog(log: Log): Promise<LogCheck> {
  return reading(log, async () => {
    const { state: before } = await (await log.manager()).streams.info(log.stream);
    const { first_seq, last_seq: head } = before;
    const servers = await serversOf(log);
    // A server that has lost its first files takes the stream for one that begins later.
    const range: Range = [servers.length > 1 ? 1 : Math.max(first_seq, 1), head];
    const { missing, lacking } = await lookAt(log, servers, range);
    const members = servers.length > 1 ? await lookAgain(log, lacking, range) : [];
    const result = { head, read: head - range[0] + 1 - countOf(missing), members };
    // The list of the deleted ones may have millions of entries; usually their number says all.
    const { num_deleted = 0 } = (await infoOf(log)).state;
    const notGiven = countOf(missing, first_seq);
    if (notGiven === num_deleted && notGiven === (before.num_deleted ?? 0)) return { ...result, unreadable: [] };
    // Asked afterwards, so that what is erased meanwhile is among the deleted ones.
    const patient = await jetstreamManager(log.connection, { checkAPI: false, timeout: listTimeoutMs });
    const { state } = await patient.streams.info(log.stream, { deleted_details: true });
    return { ...result, unreadable: withoutDeleted(missing, state) };
  });
}

/** What the servers did not give when they were read. */
interface Look {
  /** What none of them gave. */
  readonly missing: readonly Range[];
  /** What each of them did not give and another one gave; undefined for one that could not be read. */
  readonly lacking: ReadonlyMap<string | undefined, readonly Range[] | undefined>;
}

/** Reads one server after the other: the log may be in use. */
async function lookAt(log: Log, servers: Iterable<string | undefined>, range: Range): Promise<Look> {
  const reads = new Map<string | undefined, readonly Range[] | undefined>();
  for (const server of servers) reads.set(server, await readIfThere(log, server, range));
  const [first, ...others] = [...reads.values()].flatMap((read) => (read ? [read] : []));
  if (!first) throw new Error('No server could be read');
  const missing = others.reduce(intersect, first);
  return { missing, lacking: new Map([...reads].map(([server, read]) => [server, read && subtract(read, missing)])) };
}

/** @returns what a server does not give; undefined when it is away or behind, or became so meanwhile */
async function readIfThere(log: Log, server: string | undefined, [from, upTo]: Range): Promise<Range[] | undefined> {
  if (server === undefined) return readMember(log, { server, from, upTo });
  let failure: unknown;
  // A server that is lost shows as errors of many kinds, and may be the one that the client is connected to.
  for (let tries = 0; await hasCaughtUp(log, server); tries += 1) {
    if (tries === maxTries) return undefinedIfAway(failure);
    try {
      return await readMember(log, { server, from, upTo });
    } catch (error) {
      failure = error;
      await pause(noticedAfterMs);
    }
  }
  return undefined;
}

function undefinedIfAway(error: unknown): undefined {
  if (!(error instanceof MemberAwayError)) throw error;
}

/**
 * Reads the servers again if any lacks something: what was erased between two of them is missing everywhere then. It waits
 * first, since a server that does not answer any more is taken for a current one for a moment.
 */
async function lookAgain(log: Log, lacking: Look['lacking'], range: Range): Promise<MemberCheck[]> {
  const isAlike = [...lacking.values()].every((ranges) => !ranges?.length);
  if (!isAlike) await pause(noticedAfterMs);
  const again = isAlike ? lacking : (await lookAt(log, lacking.keys(), range)).lacking;
  return [...lacking].flatMap(([server, before]) => {
    if (server === undefined) return [];
    const now = again.get(server);
    return [{ server, lacking: before && now ? intersect(before, now) : [], isUnchecked: !before || !now }];
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
