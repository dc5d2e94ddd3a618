import { type Owner, ownerKey } from '@mneme/workers/fair-queue';
import { LineLimit } from '@mneme/workers/line-limit';
import { sleep } from '@mneme/workers/waits';
import { type ConsumerInfo, jetstreamManager } from '@nats-io/jetstream';
import { eventIdOf } from '../log/decode.ts';
import { openLog } from '../log/log.ts';
import { nextSequence } from '../log/reading/leader-read.ts';
import { readHeaders, type TimedMessage } from '../log/reading/read-headers.ts';
import { type Delivery, untilAborted } from './delivery.ts';
import { HandledAhead } from './handled-ahead.ts';
import type { HandlerOptions } from './handler-options.ts';
import type { PulledMessage } from './pulled-message.ts';
import type { PullerOptions } from './puller.ts';

/** How many headers are read at a time. */
const pageSize = 1_000;
/** How often to look at the log again from its end, or after a failure, in milliseconds. */
const pauseAtEndMs = 1_000;
/** How often to ask whether looking ahead is needed, in milliseconds. */
const pollMs = 100;
/** How many events and owners are remembered; then it waits until the consumer has handed out some of the events. */
const maxRemembered = 100_000;

export interface LookAheadOptions
  extends PullerOptions,
    Required<Pick<HandlerOptions<never>, 'ownerOf' | 'readAhead'>>,
    Pick<Delivery, 'judge'> {
  readonly filterSubject: string;
  /** How many events of one owner are taken at once, while no more than `readAhead` wait in all. */
  readonly perOwner: number;
  /** Whether there is no room for more from the consumer, and nothing of what waits could begin. */
  readonly isNeeded: () => boolean;
  /** Whether an event that the consumer has handed out to this instance is there, of an owner. */
  readonly isHere: (ownerKey: string) => boolean;
  /** Takes over one event. */
  readonly take: (owner: Owner, message: PulledMessage, turn: Turn) => void;
}

/** The turn of an event that was taken ahead. */
export interface Turn {
  /** @returns false when the event is to wait until the consumer hands it out */
  begin(): boolean;
  end(): void;
}

/** What is known of an owner with events that the consumer has not handed out yet. */
interface Ahead {
  /** How many of its events are taken and not done. */
  count: number;
  /** The highest sequence that was taken. */
  takenUpTo: number;
  /** The lowest and the highest sequence that were not taken; the lowest is infinite when there is none. */
  skippedFrom: number;
  skippedUpTo: number;
  /** Whether all from `skippedFrom` on wait for the consumer, since one has failed or is of an unknown type. */
  isBlocked: boolean;
}

/**
 * Finds events in the log that the consumer cannot hand out, since those in front of them take all the room and are of owners
 * with an event in work. Of each owner they are taken in order. One that was handled ahead is remembered, and acknowledged
 * when the consumer hands it out. One that fails, and those behind it, wait for that. Nothing of this outlives the process.
 */
export class LookAhead {
  readonly #options: LookAheadOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #handled = new HandledAhead();
  readonly #owners = new Map<string, Ahead>();
  /** Where reading goes on. */
  #next = 1;
  #isAtEnd = false;
  /** The highest sequence that the consumer has handed out to any instance, and the highest that came here. */
  #delivered = 0;
  #accepted = 0;
  /** Whether an event was handed out again: an instance may have ended, perhaps because of one that was taken ahead. */
  #hasRetries = false;
  #waiting = 0;

  constructor(options: LookAheadOptions) {
    this.#options = options;
    this.#running = this.#run(this.#stopping.signal);
  }

  /** How many events are taken and have not begun. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Ends at once. Events that were taken are dropped by the one who has them. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Is told of each message that the consumer hands out, before anything else is done with it. */
  accepted({ sequence, deliveryCount }: PulledMessage): void {
    this.#accepted = Math.max(this.#accepted, sequence);
    this.#hasRetries ||= deliveryCount > 1;
  }

  /** Settles an event that the consumer has handed out, if it was handled ahead. @returns false if it is to be handled now */
  settle(message: PulledMessage): boolean {
    const outcome = this.#handled.take(message);
    if (outcome === 'done') message.ack();
    else if (outcome !== undefined) message.nak(outcome);
    return outcome !== undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { connection, durable, stream, logger, isNeeded } = this.#options;
    const failures = new LineLimit();
    while (!signal.aborted && !connection.isClosed()) {
      try {
        const pauseMs = isNeeded() ? await untilAborted(this.#look(), signal) : pollMs;
        if (pauseMs > 0) await sleep(pauseMs, signal);
      } catch (error) {
        if (signal.aborted || connection.isClosed()) return;
        const about = { handler: durable, stream, err: error };
        failures.write((omitted) => logger.warn({ ...about, ...omitted }, 'Could not look ahead in the event log'));
        await sleep(pauseAtEndMs, signal);
      }
    }
  }

  /** Reads a page, and takes what may begin. @returns after how many milliseconds to look again */
  async #look(): Promise<number> {
    const { connection, stream, durable, isNeeded } = this.#options;
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const info = await manager.consumers.info(stream, durable);
    // Only while there is no room, nothing that was handed out is on its way here: no event overtakes one of those.
    if (!isNeeded()) return pollMs;
    this.#refresh(info);
    if (this.#handled.size + this.#owners.size + this.#waiting >= maxRemembered) return pauseAtEndMs;
    if (this.#isAtEnd) this.#resume();
    const page = await this.#readPage();
    if (!isNeeded()) return pollMs;
    for (const message of page) this.#consider(message);
    this.#next = (page.at(-1)?.sequence ?? this.#next - 1) + 1;
    this.#isAtEnd = page.length < pageSize;
    return this.#isAtEnd ? pauseAtEndMs : 0;
  }

  /** Takes over how far the consumer is, and forgets what it has passed. */
  #refresh({ delivered, ack_floor: settled }: Pick<ConsumerInfo, 'delivered' | 'ack_floor'>): void {
    // It was made anew.
    if (delivered.stream_seq < this.#delivered) {
      this.#owners.clear();
      [this.#next, this.#accepted] = [1, 0];
    }
    this.#delivered = delivered.stream_seq;
    this.#next = Math.max(this.#next, this.#delivered + 1);
    this.#handled.forgetPassed({ delivered: this.#delivered, settled: settled.stream_seq });
    for (const [key, { count, takenUpTo, skippedUpTo }] of this.#owners) {
      if (count === 0 && Math.max(takenUpTo, skippedUpTo) <= this.#delivered) this.#owners.delete(key);
    }
  }

  /** Goes back to the first event that was passed over of an owner that has none here any more. */
  #resume(): void {
    for (const [key, ahead] of this.#owners) {
      if (ahead.isBlocked || ahead.count > 0 || this.#options.isHere(key)) continue;
      if (ahead.skippedFrom < this.#next) [this.#next, this.#isAtEnd] = [ahead.skippedFrom, false];
      ahead.skippedFrom = Number.POSITIVE_INFINITY;
    }
    this.#next = Math.max(this.#next, this.#delivered + 1);
  }

  async #readPage(): Promise<readonly TimedMessage[]> {
    const { connection, stream, filterSubject: subject } = this.#options;
    // This takes the server less than a reader that finds nothing.
    const isOver =
      this.#isAtEnd && (await nextSequence(openLog(connection, stream), subject, this.#next)) === undefined;
    if (isOver) return [];
    return readHeaders(connection, {
      stream,
      subject,
      startSequence: this.#next,
      limit: pageSize,
      pick: (message) => message,
    });
  }

  #consider(message: TimedMessage): void {
    const { ownerOf, judge, isHere, perOwner, readAhead } = this.#options;
    const { sequence } = message;
    const judgement = judge(message);
    if (this.#wasHandedOut(sequence) || judgement === 'unwanted') return;
    const owner = ownerOf(message);
    const key = ownerKey(owner);
    const ahead = this.#owners.get(key) ?? newAhead();
    if (sequence <= ahead.takenUpTo) return;
    this.#owners.set(key, ahead);
    const id = judgement === 'wanted' ? eventIdOf(message) : undefined;
    const most = this.#waiting < readAhead ? perOwner : 1;
    if (id === undefined) block(ahead, sequence);
    else if (ahead.skippedFrom <= sequence || ahead.count >= most || isHere(key)) skip(ahead, sequence);
    else this.#take(owner, ahead, { ...message, id });
  }

  #take(owner: Owner, ahead: Ahead, { id, ...message }: TimedMessage & { readonly id: string }): void {
    const { sequence } = message;
    ahead.takenUpTo = sequence;
    ahead.count += 1;
    this.#waiting += 1;
    const pulled = {
      ...message,
      // A view of nothing would keep the whole received chunk in memory.
      data: new Uint8Array(),
      deliveryCount: 1,
      // Nothing else counts an event that ends the process each time.
      isCounted: this.#hasRetries,
      ack: () => this.#handled.noteDone(sequence, id),
      nak: (waitMs = 0) => {
        block(ahead, sequence);
        this.#handled.noteFailed(sequence, id, waitMs);
      },
      working: () => undefined,
    };
    this.#options.take(owner, pulled, {
      begin: () => {
        this.#waiting -= 1;
        return !this.#wasHandedOut(sequence) && !(ahead.isBlocked && sequence >= ahead.skippedFrom);
      },
      end: () => {
        ahead.count -= 1;
      },
    });
  }

  #wasHandedOut(sequence: number): boolean {
    return sequence <= Math.max(this.#accepted, this.#delivered);
  }
}

function newAhead(): Ahead {
  return { count: 0, takenUpTo: 0, skippedFrom: Number.POSITIVE_INFINITY, skippedUpTo: 0, isBlocked: false };
}

function skip(ahead: Ahead, sequence: number): void {
  ahead.skippedFrom = Math.min(ahead.skippedFrom, sequence);
  ahead.skippedUpTo = Math.max(ahead.skippedUpTo, sequence);
}

function block(ahead: Ahead, sequence: number): void {
  skip(ahead, sequence);
  ahead.isBlocked = true;
}
