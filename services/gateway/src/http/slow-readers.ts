import type { Socket } from 'node:net';

/** How long a caller has to be behind for its unread bytes to count, in milliseconds; fast readers are done sooner. */
const graceMs = 2_000;
/** Speeds far below this, in bytes per look, are taken for equal, so that the unread bytes decide. */
const littleBytes = 64 * 1_024;
/** How much the latest look counts in the speed: a steady reader makes progress in bursts, because systems buffer. */
const latestShare = 0.25;

/** How far the caller of a connection is with reading its answers. Times are by the clock of `performance`. */
export interface Reading {
  /** How many bytes of answers are kept for it. */
  readonly unreadBytes: number;
  /** How many bytes it has read so far, or the buffers of the systems hold for it. */
  readonly readBytes: number;
  /** About how many of these between two looks lately. */
  readonly bytesPerLook: number;
  /** When it last read something, or had nothing to read. */
  readonly progressAt: number;
  /** Since when it has always had something to read. */
  readonly behindSince: number;
}

export interface ReadingLimits {
  /** How long a caller may read nothing, in milliseconds. */
  readonly stallTimeoutMs: number;
  /** How many bytes all callers together may leave unread. */
  readonly maxUnreadBytes: number;
}

export function newReading(now: number): Reading {
  return { unreadBytes: 0, readBytes: 0, bytesPerLook: 0, progressAt: now, behindSince: now };
}

/**
 * Looks at a connection again.
 * @param queuedBytes of answers that wait for an earlier one on the same connection
 */
export function readingOf(socket: Socket, queuedBytes: number, before: Reading, now: number): Reading {
  const unreadBytes = socket.writableLength + queuedBytes;
  const readBytes = readBytesOf(socket);
  const hasProgress = socket.writableLength === 0 || readBytes !== before.readBytes;
  return {
    unreadBytes,
    readBytes,
    bytesPerLook: latestShare * (readBytes - before.readBytes) + (1 - latestShare) * before.bytesPerLook,
    progressAt: hasProgress ? now : before.progressAt,
    behindSince: unreadBytes === 0 ? now : before.behindSince,
  };
}

/** What a connection of Node has that its types leave out. */
interface Handle {
  readonly bytesWritten: number;
  /** What is left of the piece that is being read; streams count the piece as a whole. */
  readonly writeQueueSize: number;
}

function readBytesOf(socket: Socket): number {
  const { bytesWritten = 0, writeQueueSize = 0 }: Partial<Handle> = Reflect.get(socket, '_handle') ?? {};
  return bytesWritten - writeQueueSize;
}

/**
 * The connections to close: those whose callers read nothing, and as many slow readers as it takes to keep the unread bytes
 * within their limit. The reader that would need longest for the rest is first, so small answers are last.
 */
export function tooSlow<Connection>(
  readings: ReadonlyMap<Connection, Reading>,
  { stallTimeoutMs, maxUnreadBytes }: ReadingLimits,
  now: number,
): Connection[] {
  const isStalled = ({ progressAt }: Reading) => now - progressAt > stallTimeoutMs;
  const isBehind = ({ behindSince }: Reading) => now - behindSince > graceMs;
  const stalled = [...readings].filter(([, reading]) => isStalled(reading));
  const behind = [...readings].filter(([, reading]) => isBehind(reading) && !isStalled(reading));
  return [...stalled, ...beyondBudget(behind, maxUnreadBytes)].map(([connection]) => connection);
}

type Entry<Connection> = readonly [Connection, Reading];

function beyondBudget<Connection>(behind: readonly Entry<Connection>[], maxBytes: number): Entry<Connection>[] {
  let unreadBytes = behind.reduce((sum, [, reading]) => sum + reading.unreadBytes, 0);
  const chosen: Entry<Connection>[] = [];
  for (const entry of behind.toSorted(([, one], [, other]) => looksToRead(other) - looksToRead(one))) {
    if (unreadBytes <= maxBytes) break;
    unreadBytes -= entry[1].unreadBytes;
    chosen.push(entry);
  }
  return chosen;
}

/** About how many looks from now a caller has read everything. */
function looksToRead({ unreadBytes, bytesPerLook }: Reading): number {
  return unreadBytes / (bytesPerLook + littleBytes);
}
