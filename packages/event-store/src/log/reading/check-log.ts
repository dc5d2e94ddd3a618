import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager, type StreamState } from '@nats-io/jetstream';
import { type Log, reading } from '../log.ts';
import { MemberAwayError, readMember } from './member-read.ts';
import { countOf, intersect, type Range, sequencesOf, subtract } from './ranges.ts';

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
  /** Sequences of messages that another server gives and this one does not, in order. */
  readonly lacking: readonly number[];
  /** Whether it could not be read, since it is away or catches up with its leader. */
  readonly isUnchecked: boolean;
}

/** The list of the deleted messages comes in one answer, however long it is; six million take 1.5 s. */
const listTimeoutMs = 60_000;
/** How often to look whether a server has caught up. */
const maxLooks = 20;
const lookEveryMs = 500;

/**
 * Reads every message that a stream has now from every server that keeps it, without its data, and tells which are missing.
 * NATS hands out nothing in place of a message that it cannot read, because its file is damaged; it counts it, and does not
 * list it as deleted. Messages that a file lost at its end are not counted either: compare `head` with what it was.
 * @throws EventLogUnavailableError when the log does not answer
 */
export function checkLog(log: Log): Promise<LogCheck> {
  return reading(log, async () => {
    const manager = await log.manager();
    const { state: before } = await manager.streams.info(log.stream);
    const { first_seq, last_seq: head } = before;
    const servers = await serversOf(log);
    // A server that has lost its first files takes the stream for one that begins later.
    const range: Range = [servers.length > 1 ? 1 : Math.max(first_seq, 1), head];
    const reads = await readMembers(log, servers, range);
    const missing = missingEverywhere(reads);
    const members = servers.length > 1 ? await compare(log, reads, range) : [];
    const result = { head, read: countOf(subtract([range], missing)), members };
    // The list of the deleted ones may have millions of entries; usually their number says all.
    const { num_deleted = 0 } = (await manager.streams.info(log.stream)).state;
    const lacking = countOf(intersect(missing, [[first_seq, head]]));
    if (lacking === num_deleted && lacking === (before.num_deleted ?? 0)) return { ...result, unreadable: [] };
    // Asked afterwards, so that what is erased meanwhile is among the deleted ones.
    const patient = await jetstreamManager(log.connection, { checkAPI: false, timeout: listTimeoutMs });
    const { state } = await patient.streams.info(log.stream, { deleted_details: true });
    return { ...result, unreadable: withoutDeleted(missing, state) };
  });
}

/** The names of the servers that keep a stream, the leader first; undefined in place of the name of the only one. */
async function serversOf(log: Log): Promise<readonly (string | undefined)[]> {
  for (let looks = 1; ; looks += 1) {
    const { config, cluster } = await (await log.manager()).streams.info(log.stream);
    if (config.num_replicas === 1) return [undefined];
    const { leader, replicas = [] } = cluster ?? {};
    // A new leader knows the others a moment later.
    const isComplete = leader !== undefined && replicas.length + 1 >= config.num_replicas;
    if (isComplete) return [leader, ...replicas.map(({ name }) => name)];
    if (looks === maxLooks) throw new Error(`Only ${replicas.length + 1} servers that keep ${log.stream} are known`);
    await pause(lookEveryMs);
  }
}

interface MemberRead {
  readonly server: string | undefined;
  /** What it does not give; undefined when it could not be read. */
  readonly missing: readonly Range[] | undefined;
}

/** One after the other: the log may be in use. */
async function readMembers(
  log: Log,
  servers: readonly (string | undefined)[],
  [from, upTo]: Range,
): Promise<MemberRead[]> {
  const reads: MemberRead[] = [];
  for (const server of servers) {
    const isReady = server === undefined || (await hasCaughtUp(log, server));
    const missing = isReady ? await readMember(log, { server, from, upTo }).catch(undefinedIfAway) : undefined;
    reads.push({ server, missing });
  }
  return reads;
}

function undefinedIfAway(error: unknown): undefined {
  if (!(error instanceof MemberAwayError)) throw error;
}

/** Whether a server has what its leader has; waits a while for one that runs. */
async function hasCaughtUp(log: Log, server: string): Promise<boolean> {
  for (let looks = 1; ; looks += 1) {
    const { cluster } = await (await log.manager()).streams.info(log.stream);
    const peer = cluster?.replicas?.find(({ name }) => name === server);
    if (cluster?.leader === server || (peer?.current && !peer.offline)) return true;
    if (!peer || peer.offline || looks === maxLooks) return false;
    await pause(lookEveryMs);
  }
}

function missingEverywhere(reads: readonly MemberRead[]): readonly Range[] {
  const [first, ...others] = reads.flatMap(({ missing }) => (missing ? [missing] : []));
  if (!first) throw new Error('No server could be read');
  return others.reduce(intersect, first);
}

/** What each server lacks that another one gives. */
async function compare(log: Log, reads: readonly MemberRead[], range: Range): Promise<MemberCheck[]> {
  const lacked = lackedBy(reads);
  // What was erased between two of the servers is missing everywhere when they are read once more.
  const isWhole = [...lacked.values()].every((ranges) => ranges.length === 0);
  const again = isWhole ? lacked : lackedBy(await readMembers(log, [...lacked.keys()], range));
  return reads.flatMap(({ server }) => {
    if (server === undefined) return [];
    const before = lacked.get(server);
    const lacking = before ? sequencesOf(intersect(before, again.get(server) ?? before)) : [];
    return [{ server, lacking, isUnchecked: before === undefined }];
  });
}

function lackedBy(reads: readonly MemberRead[]): Map<string | undefined, Range[]> {
  const everywhere = missingEverywhere(reads);
  return new Map(reads.flatMap(({ server, missing }) => (missing ? [[server, subtract(missing, everywhere)]] : [])));
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
