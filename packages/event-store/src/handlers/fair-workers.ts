import { Counts } from '@mneme/workers/counts';
import { createFairQueue, type FairQueue, type Owner, ownerKey } from '@mneme/workers/fair-queue';
import { openLog } from '../log/log.ts';
import { firstMessage } from '../log/reading/first-message.ts';
import type { Delivery } from './delivery.ts';
import type { HandlerOptions } from './handler-options.ts';
import { LookAhead, type Turn } from './look-ahead.ts';
import type { Heartbeats, PulledMessage } from './pulled-message.ts';
import { type Puller, type PullerOptions, startPuller } from './puller.ts';

/** The data of those that wait take this much memory at most; the others' are read again when it is their turn. */
const maxHeldBytes = 32 * 1024 * 1024;
/** How many workers there are for each one that comes on top, for tenants that have nothing in work. */
const workersPerReserve = 4;
/** How many workers there are for each one that may have large work, however much there is; one at least may. */
const workersPerLarge = 2;
const offerEveryMs = 1_000;
const offersPerWorker = 2;
/** How often to ask again whether owners are held back, in milliseconds. */
const heldBackPollMs = 100;

export interface FairWorkersOptions
  extends PullerOptions,
    Pick<HandlerOptions<never>, 'concurrency' | 'oneAtATime' | 'isHeldBack' | 'isLarge' | 'maxLarge' | 'concerns'>,
    Required<Pick<HandlerOptions<never>, 'ownerOf' | 'readAhead'>>,
    Delivery {
  readonly heartbeats: Heartbeats;
}

interface Waiting {
  readonly owner: Owner;
  readonly message: PulledMessage;
  readonly isLarge: boolean;
  /** Bytes of data that are held for it; undefined when the data are to be read again. */
  readonly heldBytes: number | undefined;
  /** Ends its heartbeats. */
  readonly endHeartbeats: () => void;
  /** Given for an event that was found in the log before the consumer has handed it out. */
  readonly turn?: Turn;
}

/**
 * Reads ahead and lets tenants take turns, so that one who has queued much does not make the others wait for all of it.
 * Large work, which takes long, gets a part of the workers only. What waits is kept by heartbeats.
 *
 * With `oneAtATime`, a few owners with an event in work could take all the room, while workers have nothing to do. Events of
 * others are looked for in the log then.
 */
export class FairWorkers implements Puller {
  readonly #options: FairWorkersOptions;
  readonly #large = createFairQueue<Waiting>();
  readonly #small = createFairQueue<Waiting>();
  /** Sequences of what the consumer has handed out and waits or is in work. */
  readonly #here = new Set<number>();
  /** How many of those an owner has, by its key. */
  readonly #hereOf = new Counts<string>();
  /** How many events of a tenant are in work. */
  readonly #inWork = new Counts<string>();
  /** How many events of an owner are in work, by its key. */
  readonly #ownersInWork = new Counts<string>();
  /** Whether a tenant has nothing in work. */
  readonly #isIdle = (tenant: string) => this.#inWork.of(tenant) === 0;
  /** Whether an owner has nothing in work. */
  readonly #isFree = (owner: Owner) => this.#ownersInWork.of(ownerKey(owner)) === 0;
  /** Whether an event of an owner may begin. */
  readonly #mayBegin = (owner: Owner) => {
    const { oneAtATime, isHeldBack, readAhead } = this.#options;
    if (oneAtATime && !this.#isFree(owner)) return false;
    if (!isHeldBack || this.#held >= readAhead / 2) return true;
    return !isHeldBack(owner, this.#ownersInWork.of(ownerKey(owner)));
  };
  readonly #running = new Set<Promise<void>>();
  readonly #reader: Puller;
  readonly #offering: NodeJS.Timeout | undefined;
  readonly #asking: NodeJS.Timeout | undefined;
  readonly #lookAhead: LookAhead | undefined;
  #room = Promise.withResolvers<void>();
  #heldBytes = 0;
  #largeInWork = 0;
  /** Large and small work take turns, so that neither waits for all of the other. */
  #isLargeNext = true;
  #isStopping = false;

  constructor(options: FairWorkersOptions) {
    this.#options = options;
    this.#reader = startPuller(options, {
      room: () => options.readAhead - this.#held,
      untilRoom: () => this.#room.promise,
      accept: (message) => this.#accept(message),
    });
    // Others would handle what is offered at once, before the ones in front of it of the same owner.
    this.#offering = options.oneAtATime ? undefined : setInterval(() => this.#offer(), offerEveryMs);
    this.#lookAhead = options.oneAtATime ? this.#startLookAhead() : undefined;
    this.#asking = options.isHeldBack && setInterval(() => this.#dispatch(), heldBackPollMs);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#offering);
    clearInterval(this.#asking);
    await this.#lookAhead?.stop();
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

  /** How many of those the consumer has handed out. */
  get #held(): number {
    return this.#waiting - (this.#lookAhead?.waiting ?? 0);
  }

  get #reserve(): number {
    return Math.ceil(this.#options.concurrency / workersPerReserve);
  }

  #accept(message: PulledMessage): void {
    this.#lookAhead?.accepted(message);
    if (this.#options.settle(message)) return;
    // It was handed out again because a connection was lost. Acknowledging either delivery settles both.
    if (this.#here.has(message.sequence)) return;
    if (!this.#lookAhead?.settle(message)) this.#hold(message);
  }

  #hold(message: PulledMessage): void {
    const { ownerOf, isLarge, headersOnly = false } = this.#options;
    const { byteLength } = message.data;
    const isHeld = !headersOnly && this.#heldBytes + byteLength <= maxHeldBytes;
    if (isHeld) this.#heldBytes += byteLength;
    // A copy, since the bytes are a view that keeps the whole received chunk in memory.
    const kept = { ...message, data: new Uint8Array(isHeld ? message.data : []) };
    const endHeartbeats = this.#options.heartbeats.start(kept);
    const owner = ownerOf(message);
    this.#here.add(message.sequence);
    this.#hereOf.add(ownerKey(owner), 1);
    this.#add({
      owner,
      message: kept,
      isLarge: isLarge?.(message) ?? false,
      heldBytes: isHeld ? byteLength : undefined,
      endHeartbeats,
    });
  }

  #add(waiting: Waiting): void {
    (waiting.isLarge ? this.#large : this.#small).add(waiting.owner, waiting.message.sequence, waiting);
    this.#dispatch();
  }

  /** Not for several filters: the log can be read by one at a time only. */
  #startLookAhead(): LookAhead | undefined {
    const { concurrency, filterSubject, readAhead, isLarge } = this.#options;
    if (typeof filterSubject !== 'string') return undefined;
    return new LookAhead({
      ...this.#options,
      filterSubject,
      // So that all workers have something to do when `readAhead` are taken.
      perOwner: Math.max(1, Math.floor(readAhead / (2 * (concurrency + this.#reserve)))),
      isNeeded: () => this.#isStuck(),
      isHere: (key) => this.#hereOf.of(key) > 0,
      // The consumer has not handed it out, so that nothing has to keep it.
      take: (owner, message, turn) =>
        this.#add({
          owner,
          message,
          isLarge: isLarge?.(message) ?? false,
          heldBytes: undefined,
          endHeartbeats: () => undefined,
          turn,
        }),
    });
  }

  /** Whether there is no room for more, and nothing of what waits could begin now or, if all workers are busy, after that. */
  #isStuck(): boolean {
    if (this.#isStopping || this.#held < this.#options.readAhead) return false;
    const over = this.#running.size - this.#options.concurrency;
    const isEligible = over >= 0 && over < this.#reserve ? this.#isIdle : undefined;
    return !this.#large.has(isEligible, this.#isFree) && !this.#small.has(isEligible, this.#isFree);
  }

  #dispatch(): void {
    const { concurrency } = this.#options;
    while (!this.#isStopping && this.#running.size < concurrency + this.#reserve) {
      const isEligible = this.#running.size < concurrency ? undefined : this.#isIdle;
      const next = this.#take(isEligible);
      if (!next) return;
      this.#isLargeNext = !next.item.isLarge;
      const work = this.#work(next.item).finally(() => {
        this.#running.delete(work);
        this.#dispatch();
      });
      this.#running.add(work);
      this.#roomMade();
    }
  }

  #take(isEligible: ((tenant: string) => boolean) | undefined): ReturnType<FairQueue<Waiting>['take']> {
    const { concurrency, maxLarge = concurrency } = this.#options;
    const share = Math.max(1, Math.floor(concurrency / workersPerLarge));
    const isRoomForLarge = this.#largeInWork < Math.min(share, maxLarge);
    const large = () => (isRoomForLarge ? this.#large.take(isEligible, this.#mayBegin) : undefined);
    const small = () => this.#small.take(isEligible, this.#mayBegin);
    return this.#isLargeNext ? (large() ?? small()) : (small() ?? large());
  }

  async #work(waiting: Waiting): Promise<void> {
    const { owner, message, isLarge } = waiting;
    const { connection, logger, ackWaitMs } = this.#options;
    if (isLarge) this.#largeInWork += 1;
    this.#inWork.add(owner[0], 1);
    this.#ownersInWork.add(ownerKey(owner), 1);
    try {
      await this.#handle(waiting);
    } catch (error) {
      logger.warn({ err: error, sequence: message.sequence }, 'Could not work on an event');
      if (!connection.isClosed()) message.nak(ackWaitMs);
    } finally {
      this.#letGo(waiting);
      if (isLarge) this.#largeInWork -= 1;
      this.#inWork.add(owner[0], -1);
      this.#ownersInWork.add(ownerKey(owner), -1);
    }
  }

  async #handle(waiting: Waiting): Promise<void> {
    const { message, turn } = waiting;
    const { deliver, concerns } = this.#options;
    if (turn && !turn.begin()) return;
    if (!turn && this.#lookAhead?.settle(message)) return;
    const isNeeded = concerns?.(message) ?? true;
    const whole = isNeeded ? await wholeOf(this.#options, waiting) : undefined;
    if (whole) await deliver(whole);
    else message.ack();
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

  #roomMade(): void {
    this.#room.resolve();
    this.#room = Promise.withResolvers();
  }

  #giveBack(waiting: Waiting): void {
    this.#letGo(waiting);
    if (!this.#options.connection.isClosed()) waiting.message.nak();
  }

  #letGo({ owner, message, endHeartbeats, heldBytes = 0, turn }: Waiting): void {
    endHeartbeats();
    this.#heldBytes -= heldBytes;
    turn?.end();
    if (turn) return;
    this.#here.delete(message.sequence);
    this.#hereOf.add(ownerKey(owner), -1);
  }
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
