import { Counts } from '@mneme/workers/counts';
import { createFairQueue, type FairQueue, type Owner } from '@mneme/workers/fair-queue';
import { openLog } from '../log/log.ts';
import { firstMessage } from '../log/reading/first-message.ts';
import type { Delivery } from './delivery.ts';
import type { HandlerOptions } from './handler-options.ts';
import type { Heartbeats, PulledMessage } from './pulled-message.ts';
import { type Puller, type PullerOptions, startPuller } from './puller.ts';

/** How many messages may wait for their turn in one instance. As long as no more are due, no message waits behind them all. */
const maxWaiting = 10_000;
/** The data of those that wait take this much memory at most; the others' are read again when it is their turn. */
const maxHeldBytes = 32 * 1024 * 1024;
/** One worker in so many comes on top, for tenants that have nothing in work. */
const workersPerReserve = 4;
/** One worker in so many may have large work at the same time, however much there is; one worker at least. */
const workersPerLarge = 2;
const offerEveryMs = 1_000;
const offersPerWorker = 2;
/** How many events of the owner with the most are put off each time, when nothing else has room. */
const putOffAtOnce = 500;
/** Longer than the events in front of them may take. */
const putOffMs = 30_000;

export interface FairWorkersOptions
  extends PullerOptions,
    Pick<HandlerOptions<never>, 'concurrency' | 'oneAtATime' | 'isLarge' | 'maxLarge' | 'concerns'>,
    Required<Pick<HandlerOptions<never>, 'ownerOf'>>,
    Delivery {
  readonly heartbeats: Heartbeats;
}

interface Waiting {
  readonly message: PulledMessage;
  readonly isLarge: boolean;
  /** Bytes of data that are held for it; undefined when the data are to be read again. */
  readonly heldBytes: number | undefined;
  /** Ends its heartbeats. */
  readonly endHeartbeats: () => void;
}

/**
 * Reads ahead and lets tenants take turns, so that one who has queued much does not make the others wait for all of it.
 * Large work, which takes long, gets a part of the workers only. What waits is kept by heartbeats.
 */
export class FairWorkers implements Puller {
  readonly #options: FairWorkersOptions;
  readonly #large = createFairQueue<Waiting>();
  readonly #small = createFairQueue<Waiting>();
  /** Sequences of what waits or is in work. */
  readonly #here = new Set<number>();
  /** How many events of a tenant are in work. */
  readonly #inWork = new Counts<string>();
  /** How many events of an owner are in work, by its key. */
  readonly #ownersInWork = new Counts<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #reader: Puller;
  readonly #offering: NodeJS.Timeout;
  #room = Promise.withResolvers<void>();
  #heldBytes = 0;
  #largeInWork = 0;
  /** Large and small work take turns, so that neither waits for all of the other. */
  #isLargeNext = true;
  #isStopping = false;

  constructor(options: FairWorkersOptions) {
    this.#options = options;
    this.#reader = startPuller(options, {
      room: () => maxWaiting - this.#waiting,
      untilRoom: () => this.#room.promise,
      accept: (message) => this.#accept(message),
    });
    // Others would handle what is offered at once, before the ones in front of it of the same owner.
    const offer = options.oneAtATime ? () => this.#makeRoom() : () => this.#offer();
    this.#offering = setInterval(offer, offerEveryMs);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#offering);
    // Only then is nothing that is given back handed out to this instance again.
    await this.#reader.stop();
    for (const queue of [this.#large, this.#small]) {
      for (let next = queue.take(); next; next = queue.take()) this.#giveBack(next.item);
    }
    await Promise.all(this.#running);
  }

  get #waiting(): number {
    return this.#large.size + this.#small.size;
  }

  #accept(message: PulledMessage): void {
    if (this.#options.settle(message)) return;
    // It was handed out again because a connection was lost. Acknowledging either delivery settles both.
    if (this.#here.has(message.sequence)) return;
    const { ownerOf, isLarge, headersOnly = false } = this.#options;
    const { byteLength } = message.data;
    const isHeld = !headersOnly && this.#heldBytes + byteLength <= maxHeldBytes;
    if (isHeld) this.#heldBytes += byteLength;
    // A copy, since the bytes are a view that keeps the whole received chunk in memory.
    const kept = { ...message, data: new Uint8Array(isHeld ? message.data : []) };
    const endHeartbeats = this.#options.heartbeats.start(kept);
    const waiting: Waiting = {
      message: kept,
      isLarge: isLarge?.(message) ?? false,
      heldBytes: isHeld ? byteLength : undefined,
      endHeartbeats,
    };
    this.#here.add(message.sequence);
    (waiting.isLarge ? this.#large : this.#small).add(ownerOf(message), message.sequence, waiting);
    this.#dispatch();
  }

  #dispatch(): void {
    const { concurrency } = this.#options;
    const reserve = Math.ceil(concurrency / workersPerReserve);
    const isIdle = (tenant: string) => this.#inWork.of(tenant) === 0;
    while (!this.#isStopping && this.#running.size < concurrency + reserve) {
      const isEligible = this.#running.size < concurrency ? undefined : isIdle;
      const next = this.#take(isEligible);
      if (!next) return;
      this.#isLargeNext = !next.item.isLarge;
      const work = this.#work(next.owner, next.item).finally(() => {
        this.#running.delete(work);
        this.#dispatch();
      });
      this.#running.add(work);
      this.#roomMade();
    }
  }

  #take(isEligible: ((tenant: string) => boolean) | undefined): ReturnType<FairQueue<Waiting>['take']> {
    const { concurrency, maxLarge = concurrency, oneAtATime } = this.#options;
    const share = Math.max(1, Math.floor(concurrency / workersPerLarge));
    const isRoomForLarge = this.#largeInWork < Math.min(share, maxLarge);
    const isFree = oneAtATime ? (owner: Owner) => this.#ownersInWork.of(keyOf(owner)) === 0 : undefined;
    const large = () => (isRoomForLarge ? this.#large.take(isEligible, isFree) : undefined);
    const small = () => this.#small.take(isEligible, isFree);
    return this.#isLargeNext ? (large() ?? small()) : (small() ?? large());
  }

  async #work(owner: Owner, waiting: Waiting): Promise<void> {
    const { message, isLarge } = waiting;
    const { connection, logger, deliver, ackWaitMs, concerns } = this.#options;
    if (isLarge) this.#largeInWork += 1;
    this.#inWork.add(owner[0], 1);
    this.#ownersInWork.add(keyOf(owner), 1);
    this.#heldBytes -= waiting.heldBytes ?? 0;
    try {
      const isNeeded = concerns?.(message) ?? true;
      const whole = isNeeded ? await wholeOf(this.#options, waiting) : undefined;
      if (whole) await deliver(whole);
      else message.ack();
    } catch (error) {
      logger.warn({ err: error, sequence: message.sequence }, 'Could not work on an event');
      if (!connection.isClosed()) message.nak(ackWaitMs);
    } finally {
      waiting.endHeartbeats();
      this.#here.delete(message.sequence);
      if (isLarge) this.#largeInWork -= 1;
      this.#inWork.add(owner[0], -1);
      this.#ownersInWork.add(keyOf(owner), -1);
    }
  }

  /**
   * Gives some of the last back from time to time, so that an instance which was started later gets its part of work that
   * takes long. Each is given back once only, since deliveries are counted as tries.
   */
  #offer(): void {
    const { concurrency } = this.#options;
    for (let offered = 0; offered < concurrency * offersPerWorker && this.#waiting > concurrency; offered += 1) {
      const isFirst = ({ message }: Waiting) => message.deliveryCount === 1;
      const last = this.#large.takeLast(isFirst) ?? this.#small.takeLast(isFirst);
      if (!last) return;
      this.#giveBack(last);
    }
  }

  /**
   * Puts off the last events of the owner with the most, when all that wait are of owners with one in work: while a worker has
   * nothing to do, the events of others behind them are to be read.
   */
  #makeRoom(): void {
    const { concurrency } = this.#options;
    if (this.#running.size >= concurrency || this.#waiting + concurrency < maxWaiting) return;
    const queue = this.#large.size > this.#small.size ? this.#large : this.#small;
    for (let putOff = 0; putOff < putOffAtOnce; putOff += 1) {
      const last = queue.takeOfMost();
      if (last) this.#giveBack(last, putOffMs);
    }
    this.#roomMade();
  }

  #roomMade(): void {
    this.#room.resolve();
    this.#room = Promise.withResolvers();
  }

  #giveBack({ message, endHeartbeats, heldBytes = 0 }: Waiting, delayMs = 0): void {
    endHeartbeats();
    this.#heldBytes -= heldBytes;
    this.#here.delete(message.sequence);
    if (!this.#options.connection.isClosed()) message.nak(delayMs);
  }
}

function keyOf(owner: Owner): string {
  return JSON.stringify(owner);
}

/** A message with its data; undefined when it was erased meanwhile. */
async function wholeOf(
  { connection, stream }: PullerOptions,
  { message, heldBytes }: Waiting,
): Promise<PulledMessage | undefined> {
  if (heldBytes !== undefined) return message;
  const found = await firstMessage(openLog(connection, stream), message.subject, message.sequence);
  return found?.sequence === message.sequence ? { ...message, headers: found.headers, data: found.data } : undefined;
}
