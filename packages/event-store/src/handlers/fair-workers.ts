import { readDirect } from '../log/direct-read.ts';
import { messageAt } from '../log/leader-read.ts';
import { openLog } from '../log/log.ts';
import { createFairQueue, type Owner } from './fair-queue.ts';
import type { EventStoreLogger } from './handler-options.ts';
import type { Heartbeats, PulledMessage } from './pulled-message.ts';
import { type Puller, type PullerOptions, startPuller } from './puller.ts';

/** How many messages may wait for their turn in one instance. As long as no more are due, no message waits behind them all. */
export const maxWaiting = 10_000;
/** The data of those that wait take this much memory at most; the others' are read again when it is their turn. */
const maxHeldBytes = 32 * 1024 * 1024;
/** One worker in so many comes on top, for tenants that have nothing in work. */
const workersPerReserve = 4;
const offerEveryMs = 1_000;
const offersPerWorker = 2;
const readTimeoutMs = 5_000;

export interface FairWorkersOptions extends PullerOptions {
  readonly logger: EventStoreLogger;
  readonly concurrency: number;
  readonly ownerOf: (message: PulledMessage) => Owner;
  readonly heartbeats: Heartbeats;
  /** Settles what needs no work, at once. */
  readonly settle: (message: PulledMessage) => boolean;
  readonly deliver: (message: PulledMessage) => Promise<void>;
}

interface Waiting {
  readonly message: PulledMessage;
  /** Bytes of data that are held for it; undefined when the data are to be read again. */
  readonly heldBytes: number | undefined;
  /** Ends its heartbeats. */
  readonly endHeartbeats: () => void;
}

/**
 * Reads ahead and lets tenants take turns, so that one who has queued much does not make the others wait for all of it.
 * What waits is kept by heartbeats.
 */
export class FairWorkers implements Puller {
  readonly #options: FairWorkersOptions;
  readonly #queue = createFairQueue<Waiting>();
  /** Sequences of what waits or is in work. */
  readonly #here = new Set<number>();
  /** How many events of a tenant are in work. */
  readonly #inWork = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  readonly #reader: Puller;
  readonly #offering: NodeJS.Timeout;
  #room = Promise.withResolvers<void>();
  #heldBytes = 0;
  #isStopping = false;

  constructor(options: FairWorkersOptions) {
    this.#options = options;
    this.#reader = startPuller(options, {
      room: () => maxWaiting - this.#queue.size,
      untilRoom: () => this.#room.promise,
      accept: (message) => this.#accept(message),
    });
    this.#offering = setInterval(() => this.#offer(), offerEveryMs);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#offering);
    // Only then is nothing that is given back handed out to this instance again.
    await this.#reader.stop();
    for (let next = this.#queue.take(); next; next = this.#queue.take()) this.#giveBack(next.item);
    await Promise.all(this.#running);
  }

  #accept(message: PulledMessage): void {
    if (this.#options.settle(message)) return;
    // It was handed out again because a connection was lost. Acknowledging either delivery settles both.
    if (this.#here.has(message.sequence)) return;
    const { byteLength } = message.data;
    const isHeld = this.#heldBytes + byteLength <= maxHeldBytes;
    if (isHeld) this.#heldBytes += byteLength;
    // A copy, since the bytes are a view that keeps the whole received chunk in memory.
    const kept = { ...message, data: new Uint8Array(isHeld ? message.data : []) };
    const endHeartbeats = this.#options.heartbeats.start(kept);
    const waiting = { message: kept, heldBytes: isHeld ? byteLength : undefined, endHeartbeats };
    this.#here.add(message.sequence);
    this.#queue.add(this.#options.ownerOf(message), message.sequence, waiting);
    this.#dispatch();
  }

  #dispatch(): void {
    const { concurrency } = this.#options;
    const reserve = Math.ceil(concurrency / workersPerReserve);
    const isIdle = (tenant: string) => !this.#inWork.has(tenant);
    while (!this.#isStopping && this.#running.size < concurrency + reserve) {
      const next = this.#queue.take(this.#running.size < concurrency ? undefined : isIdle);
      if (!next) return;
      const work = this.#work(next.owner[0], next.item).finally(() => {
        this.#running.delete(work);
        this.#dispatch();
      });
      this.#running.add(work);
      this.#room.resolve();
      this.#room = Promise.withResolvers();
    }
  }

  async #work(tenant: string, waiting: Waiting): Promise<void> {
    const { message } = waiting;
    const { connection, logger, deliver, ackWaitMs } = this.#options;
    this.#inWork.set(tenant, (this.#inWork.get(tenant) ?? 0) + 1);
    this.#heldBytes -= waiting.heldBytes ?? 0;
    try {
      const whole = waiting.heldBytes === undefined ? await readAgain(this.#options, message) : message;
      if (whole) await deliver(whole);
      else message.ack();
    } catch (error) {
      logger.warn({ err: error, sequence: message.sequence }, 'Could not work on an event');
      if (!connection.isClosed()) message.nak(ackWaitMs);
    } finally {
      waiting.endHeartbeats();
      this.#here.delete(message.sequence);
      const left = (this.#inWork.get(tenant) ?? 1) - 1;
      if (left > 0) this.#inWork.set(tenant, left);
      else this.#inWork.delete(tenant);
    }
  }

  /**
   * Gives some of the last back from time to time, so that an instance which was started later gets its part of work that
   * takes long. Each is given back once only, since deliveries are counted as tries.
   */
  #offer(): void {
    const { concurrency } = this.#options;
    for (let offered = 0; offered < concurrency * offersPerWorker && this.#queue.size > concurrency; offered += 1) {
      const last = this.#queue.takeLast(({ message }) => message.deliveryCount === 1);
      if (!last) return;
      this.#giveBack(last);
    }
  }

  #giveBack({ message, endHeartbeats, heldBytes = 0 }: Waiting): void {
    endHeartbeats();
    this.#heldBytes -= heldBytes;
    this.#here.delete(message.sequence);
    if (!this.#options.connection.isClosed()) message.nak();
  }
}

/** Reads a message with its data; undefined when it was erased meanwhile. */
async function readAgain(
  { connection, stream }: PullerOptions,
  message: PulledMessage,
): Promise<PulledMessage | undefined> {
  const query = { stream, subject: message.subject, from: message.sequence, limit: 1, timeoutMs: readTimeoutMs };
  const found = (await readDirect(connection, query)).messages[0];
  if (found?.sequence === message.sequence) return { ...message, data: found.data };
  // The replica that was asked may be behind; that there is no such message only the leader knows.
  const newest = await messageAt(openLog(connection, stream), message.sequence);
  return newest && { ...message, data: newest.data };
}
