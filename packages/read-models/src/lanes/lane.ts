import { setTimeout as pause } from 'node:timers/promises';
import type { DeferredAggregate } from '@mneme/contracts';
import { type StoredMessage, timeOf } from '@mneme/event-store';
import { countWithin } from '../log/buffer.ts';
import { LaneBudget } from './lane-budget.ts';
import { createPositionTracker, type PositionTracker } from './position-tracker.ts';

/** A message that waits to be applied. */
export interface QueuedMessage {
  readonly message: StoredMessage;
  readonly aggregate: string;
  readonly type: string | undefined;
  /** The decoded event, once it was decoded. */
  event?: unknown;
}

/** A deferred aggregate, as it is stored. */
export interface Deferral extends Readonly<DeferredAggregate> {
  /** The version of the type that the event was written in; missing in what earlier releases stored. */
  readonly typeVersion?: number | null;
}

/** A failure that is being waited out or worked around. */
export interface LaneFailure {
  readonly inARow: number;
  readonly reason: string;
  readonly since: number;
}

const maxQueuedMessages = 2_000;
const maxQueuedBytes = 16 * 1024 * 1024;
/** What a message takes besides its data, in bytes: mostly its headers. */
const overheadBytes = 4 * 1024;
/** A batch that is written no further for this time hangs, in milliseconds. */
const stalledMs = 30_000;
/** How often to check whether the lane is free, in milliseconds. */
const pollMs = 50;

/**
 * One lane of one version in this instance: what waits to be applied, how far it is, and who waits for it.
 *
 * A lane is fed by the router, which reads the stream for all lanes. When it cannot take more, or starts behind the
 * router, it reads the stream by itself (`isReading`) until it has caught up with the router.
 */
export class Lane {
  readonly index: number;
  readonly tracker: PositionTracker = createPositionTracker(0);
  readonly deferrals = new Map<string, Deferral>();
  /** Whether this instance holds the lane, and by which epoch of its lease. */
  isOwned = false;
  epoch = 0;
  /** Counts how often the lane was opened here; the epoch stays the same when it is given back and taken again at once. */
  opening = 0;
  isReading = false;
  /** The sequence up to which the lane's messages were queued. */
  readUpTo = 0;
  /** The sequence of the last message that the router had for the lane while it was reading by itself. */
  lastUnread = 0;
  /** Whether a retry waits for the lane to be free; no new batch of it is begun until then. */
  isReserved = false;
  /** Applied alone from now on, since a batch with others has failed. */
  isAlone = false;
  lastBatchAt = Number.NEGATIVE_INFINITY;
  failure: LaneFailure | undefined;
  readonly #queue: QueuedMessage[] = [];
  readonly #budget: LaneBudget;
  #isInWork = false;
  #queuedAt = 0;
  #checkpoint = 0;
  /** When the batch in work was taken, or part of it was last written; by the clock of `performance`. */
  #movedAt = 0;
  #bytes = 0;
  /** What the queue and the batch in work take of the memory, and the batch alone. */
  #heldBytes = 0;
  #inWorkBytes = 0;
  /** The first message of the batch in work. */
  #firstInWork: StoredMessage | undefined;
  #lastPushed: Pick<StoredMessage, 'headers'> | undefined;
  /** The sequence of the last message that was queued since the lane was opened. */
  #lastQueued = 0;
  #taken = Promise.withResolvers<void>();

  /** @param budget that of the lanes of its version */
  constructor(index: number, budget = new LaneBudget(1)) {
    this.index = index;
    this.#budget = budget;
  }

  /** The position of the stored checkpoint. */
  get checkpoint(): number {
    return this.#checkpoint;
  }

  set checkpoint(position: number) {
    this.#checkpoint = position;
    this.#movedAt = performance.now();
  }

  /** Why it cannot be written at the moment; undefined when nothing is known to be in its way. */
  get reason(): string | undefined {
    const isStalled = this.#firstInWork !== undefined && performance.now() - this.#movedAt > stalledMs;
    return (
      this.failure?.reason ?? (isStalled ? `No part of its batch was written for ${stalledMs / 1_000} s` : undefined)
    );
  }

  get queue(): readonly QueuedMessage[] {
    return this.#queue;
  }

  get queuedBytes(): number {
    return this.#bytes;
  }

  /** When the oldest of the queue was queued, by the clock of `performance`. */
  get queuedAt(): number {
    return this.#queuedAt;
  }

  /**
   * How long ago the oldest event was made that is not applied, in seconds; 0 when nothing waits. While the lane is read by
   * itself and the next page is not there yet, how long ago the last event of the page before it was made.
   */
  get lagSeconds(): number {
    const behind = this.isReading ? this.#lastPushed : undefined;
    const oldest = this.#firstInWork ?? this.#queue[0]?.message ?? behind;
    const madeAt = oldest && timeOf(oldest);
    return madeAt === undefined ? 0 : Math.max(0, Date.now() - madeAt) / 1_000;
  }

  get isFull(): boolean {
    return this.#queue.length >= maxQueuedMessages || this.#bytes >= maxQueuedBytes || this.roomBytes <= 0;
  }

  /** How much more it may hold in memory, beside what the other lanes of its version hold. */
  get roomBytes(): number {
    return this.#budget.roomFor(this.#heldBytes);
  }

  /** Whether a batch, a retry or maintenance writes for the lane. */
  get isInWork(): boolean {
    return this.#isInWork;
  }

  /**
   * Whether everything that was queued is applied and nothing is at work: the lane is then as far as the router. It is not
   * idle when a batch was taken from it and given up, which happens when the service stops.
   */
  get isIdle(): boolean {
    const isApplied = this.tracker.position() >= this.#lastQueued;
    return isApplied && this.#queue.length === 0 && !this.#isInWork && !this.isReading;
  }

  /**
   * Takes the lane for writing; there is one writer at a time.
   * @returns gives it back; once, so that a second call does not release the next writer's hold
   * @throws Error when it is taken already
   */
  occupy(): () => void {
    if (this.#isInWork) throw new Error(`Lane ${this.index} is in work already`);
    this.#isInWork = true;
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      this.#isInWork = false;
      this.#firstInWork = undefined;
      this.#hold(-this.#inWorkBytes);
      this.#inWorkBytes = 0;
      this.#signalTaken();
    };
  }

  /**
   * Takes the lane for writing as soon as it is free: at once, if it is now.
   * @returns gives it back; undefined when it was not free in time
   */
  async occupyWhenFree(waitMs: number): Promise<(() => void) | undefined> {
    const deadline = performance.now() + waitMs;
    this.isReserved = true;
    try {
      while (this.#isInWork && performance.now() < deadline) await pause(pollMs);
    } finally {
      this.isReserved = false;
    }
    return this.#isInWork ? undefined : this.occupy();
  }

  push(queued: QueuedMessage): void {
    if (this.#queue.length === 0) this.#queuedAt = performance.now();
    this.#queue.push({ ...queued, message: withOwnData(queued.message) });
    this.#bytes += sizeOf(queued);
    this.#hold(heldBy(queued));
    this.readUpTo = queued.message.sequence;
    this.#lastQueued = queued.message.sequence;
    this.#lastPushed = { headers: queued.message.headers };
  }

  /** Takes messages from the front, within limits; at least one if there is one. */
  take(maxMessages: number, maxBytes: number): QueuedMessage[] {
    const limits = { messages: maxMessages, bytes: maxBytes };
    const taken = this.#queue.splice(0, countWithin(this.#queue, limits, sizeOf));
    this.#firstInWork = taken[0]?.message;
    this.#movedAt = performance.now();
    this.#bytes -= sum(taken, sizeOf);
    this.#inWorkBytes += sum(taken, heldBy);
    this.#queuedAt = performance.now();
    this.#signalTaken();
    return taken;
  }

  /** Resolves when something was taken or is done with, the lane has failed or was closed, or nothing will be taken any more. */
  untilTaken(): Promise<void> {
    return this.#taken.promise;
  }

  /** Lets those go on who wait until something is taken. */
  stopWaiting(): void {
    this.#signalTaken();
  }

  /** Counts one more failure in a row; the count begins anew when `failure` is cleared. */
  noteFailure(reason: string): LaneFailure {
    const { inARow, since } = this.failure ?? { inARow: 0, since: Date.now() };
    this.failure = { inARow: inARow + 1, since, reason };
    this.#signalTaken();
    return this.failure;
  }

  /** Starts over at a stored checkpoint. */
  open(checkpoint: number, epoch: number): void {
    this.#clear();
    this.isOwned = true;
    this.epoch = epoch;
    this.opening += 1;
    this.checkpoint = checkpoint;
    this.readUpTo = checkpoint;
    this.lastUnread = 0;
    this.isAlone = false;
    this.failure = undefined;
    this.tracker.moveTo(checkpoint);
  }

  /** Gives everything up that has not been applied. */
  close(): void {
    this.#clear();
    this.isOwned = false;
    this.isReading = false;
    this.failure = undefined;
  }

  #clear(): void {
    this.#hold(-sum(this.#queue, heldBy));
    this.#queue.length = 0;
    this.#bytes = 0;
    this.#lastQueued = 0;
    this.#lastPushed = undefined;
    this.#signalTaken();
  }

  #hold(bytes: number): void {
    const before = this.#heldBytes;
    this.#heldBytes += bytes;
    this.#budget.note(before, this.#heldBytes);
  }

  #signalTaken(): void {
    this.#taken.resolve();
    this.#taken = Promise.withResolvers();
  }
}

function sizeOf({ message }: QueuedMessage): number {
  return message.data.byteLength;
}

function heldBy(queued: QueuedMessage): number {
  return sizeOf(queued) + overheadBytes;
}

function sum(messages: readonly QueuedMessage[], bytesOf: (queued: QueuedMessage) => number): number {
  return messages.reduce((bytes, queued) => bytes + bytesOf(queued), 0);
}

/** What was received is often a small part of a buffer with messages of other lanes, which would be kept with it. */
function withOwnData(message: StoredMessage): StoredMessage {
  const { data } = message;
  return data.byteLength * 2 > data.buffer.byteLength ? message : { ...message, data: new Uint8Array(data) };
}
