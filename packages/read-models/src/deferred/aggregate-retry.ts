import type { DomainEvent } from '@mneme/contracts';
import type { ClientSession } from 'mongodb';
import type { BatchWriterOptions } from '../applying/batch-writer.ts';
import type { DeferrerOptions } from '../applying/deferrer.ts';
import {
  faultOf,
  type LaneGuardOptions,
  LaneLostError,
  LeaseLapsedError,
  pauseBeforeRetry,
  triesOfEvent,
  type WrittenWith,
} from '../applying/lane-guard.ts';
import { deferralOf, MessageReader, type Poison } from '../applying/message-reader.ts';
import type { Commit, ReadModelDefinition } from '../definition.ts';
import { FencedError, reasonOf } from '../errors.ts';
import { type LaneMove, stayOf } from '../lanes/checkpoints.ts';
import type { Deferral, Lane, QueuedMessage } from '../lanes/lane.ts';
import { readWaiting, type WaitingMessagesOptions } from './waiting-messages.ts';

export interface AggregateRetryOptions<E extends DomainEvent>
  extends Pick<BatchWriterOptions<E>, 'store' | 'checkpoints' | 'deferrals'>,
    Pick<DeferrerOptions, 'deadLetter' | 'logger'>,
    Pick<LaneGuardOptions, 'signal' | 'isHeld' | 'onLost'>,
    Pick<WrittenWith, 'indexes'>,
    Omit<WaitingMessagesOptions<E>, 'definition'> {
  readonly definition: ReadModelDefinition<E, unknown>;
}

/** An aggregate that waits, and its lane, which must be in work for the retry alone. */
export interface WaitingAggregate {
  readonly lane: Lane;
  readonly deferral: Deferral;
  /** The sequence of an event to leave out for good. */
  readonly discarded: number | undefined;
}

const eventsAtOnce = 200;

/**
 * Applies what an aggregate has waited with: the event that could not be applied, and everything after it up to where the
 * lane is, in order. A later event that cannot be applied is dead-lettered as well, and the aggregate waits from there on:
 * a retry gives up one event at most, so that a store that fails for everything does not cost more.
 */
export class AggregateRetry<E extends DomainEvent> {
  readonly #options: AggregateRetryOptions<E>;
  readonly #waiting: WaitingAggregate;
  readonly #reader: MessageReader<E>;
  readonly #opening: number;
  /** The lane as it was at the beginning: nothing is written any more once another instance has taken it over. */
  #stay: LaneMove;
  /** What still waits, as it is stored. */
  #left: Deferral;

  constructor(options: AggregateRetryOptions<E>, waiting: WaitingAggregate) {
    this.#options = options;
    this.#waiting = waiting;
    this.#reader = new MessageReader(options.definition);
    this.#opening = waiting.lane.opening;
    this.#stay = stayOf(waiting.lane);
    this.#left = waiting.deferral;
  }

  /**
   * Resolves when the event that the retry is about is applied or left out.
   * @throws the error of that event, or of what else has failed; what came before is applied
   */
  async run(): Promise<void> {
    const { lane, deferral, discarded } = this.#waiting;
    const { aggregate, from } = deferral;
    const upTo = lane.tracker.position();
    await this.#moveCheckpoint(upTo);
    for await (const { messages, next } of readWaiting(this.#options, { lane, aggregate, from, upTo })) {
      const wanted = messages.filter(({ message }) => message.sequence !== discarded);
      if (!(await this.#applyPage(wanted, next))) return;
    }
    await this.#write((session) => this.#options.deferrals.finish(this.#left, session));
    if (this.#isSameHolder()) lane.deferrals.delete(aggregate);
  }

  /**
   * Events of deferred aggregates move the lane, but not its stored checkpoint. Once they do not wait any more, a lane that
   * is opened at an older checkpoint would apply them again.
   */
  async #moveCheckpoint(upTo: number): Promise<void> {
    const { lane } = this.#waiting;
    if (lane.checkpoint >= upTo) return;
    this.#assertOwned();
    await this.#options.checkpoints.move([{ ...this.#stay, to: upTo }]);
    this.#assertOwned();
    lane.checkpoint = upTo;
    this.#stay = stayOf(lane);
  }

  /** @param next where what is not on the page begins. @returns false when a message was dead-lettered instead */
  async #applyPage(messages: readonly QueuedMessage[], next: number): Promise<boolean> {
    this.#assertOwned();
    for (let start = 0; start < messages.length; start += eventsAtOnce) {
      const batch = messages.slice(start, start + eventsAtOnce);
      if (!(await this.#applySound(batch, messages[start + eventsAtOnce]?.message.sequence ?? next))) return false;
    }
    return true;
  }

  /** Applies messages up to the first that no instance of this release could apply. */
  async #applySound(messages: readonly QueuedMessage[], next: number): Promise<boolean> {
    const poison = this.#reader.firstPoisonOf(this.#waiting.lane, messages);
    if (!poison) return this.#apply(messages, next);
    const { message } = poison.message;
    const before = messages.slice(0, messages.indexOf(poison.message));
    return (await this.#apply(before, message.sequence)) && this.#giveUp(poison);
  }

  /** Applies messages; divides them when that fails, until it is known which of them cannot be applied. */
  async #apply(messages: readonly QueuedMessage[], next: number): Promise<boolean> {
    const { store, signal } = this.#options;
    const { lane } = this.#waiting;
    if (messages.length === 0) return true;
    for (let tries = 1, left = messages; left.length > 0; tries += 1) {
      try {
        await this.#applyOnce(left, next);
        break;
      } catch (error) {
        store.forgetLane?.(lane.index);
        if ((await faultOf(this.#options, error)) !== 'events') throw error;
        left = left.filter(({ message }) => message.sequence >= this.#left.from);
        const [only, ...others] = left;
        if (!only) break;
        if (others.length > 0) return this.#divide(left, next);
        if (tries >= triesOfEvent || this.#isAskedFor(only.message.sequence)) {
          return this.#giveUp({ message: only, deferral: deferralOf(lane, only, 'failed', reasonOf(error)), error });
        }
      }
      await pauseBeforeRetry(tries - 1, signal);
    }
    return true;
  }

  async #applyOnce(messages: readonly QueuedMessage[], next: number): Promise<void> {
    const { index: lane } = this.#waiting.lane;
    this.#assertOwned();
    const events = this.#reader.eventsOf(messages);
    if (events.length === 0) return;
    const batch = { events, lanes: [{ lane, events }], assertHeld: () => this.#assertHeld() };
    await this.#options.store.apply(batch, this.#commitTo(next));
  }

  async #divide(messages: readonly QueuedMessage[], next: number): Promise<boolean> {
    const middle = Math.ceil(messages.length / 2);
    const second = messages.slice(middle);
    const isApplied = await this.#apply(messages.slice(0, middle), second[0]?.message.sequence ?? next);
    return isApplied && this.#apply(second, next);
  }

  /** A batch may be written in several steps; after each of them only what is behind it waits. */
  #commitTo(next: number): Commit {
    const { deferrals } = this.#options;
    return async (upTo, write) => {
      const from = Math.max(this.#left.from, Math.min(upTo + 1, next));
      await this.#write(async (session) => {
        await deferrals.advance(this.#left, from, session);
        await write(session);
      });
      this.#proceed({ ...this.#left, from });
    };
  }

  /** @throws what the event has failed with when it is the one that the retry is about */
  async #giveUp({ message, deferral, error }: Poison): Promise<false> {
    const { deadLetter, deferrals, definition, logger } = this.#options;
    const { aggregate, from, kind, reason } = deferral;
    if (this.#isAskedFor(from)) throw error ?? new Error(reason);
    this.#assertOwned();
    await deadLetter(message, deferral);
    await this.#write(async (session) => {
      await deferrals.advance(this.#left, from, session);
      await deferrals.put(deferral, session);
    });
    this.#proceed(deferral);
    logger.error({ readModel: definition.name, aggregate, sequence: from, kind, reason }, 'Dead-lettered an event');
    return false;
  }

  /** Whether a failure of this event means that the retry has failed: of events that are left out, only those after them may. */
  #isAskedFor(sequence: number): boolean {
    const { deferral, discarded } = this.#waiting;
    return discarded === undefined ? sequence === deferral.from : sequence < discarded;
  }

  /** Gives the lane up when it is not known what is stored now; that is read when the lane is opened again. */
  async #write(write: (session: ClientSession) => Promise<void>): Promise<void> {
    this.#assertHeld();
    let isWritten = false;
    try {
      await this.#options.checkpoints.moveWith([this.#stay], async (session) => {
        await write(session);
        isWritten = true;
      });
    } catch (error) {
      // What was written may be committed, although no answer to the commit has come.
      if (isWritten || error instanceof FencedError) this.#giveUpLane();
      throw error;
    }
  }

  #giveUpLane(): void {
    const { lane } = this.#waiting;
    if (lane.isOwned && lane.opening === this.#opening) this.#options.onLost(lane);
  }

  #proceed(left: Deferral): void {
    this.#left = left;
    if (this.#isSameHolder()) this.#waiting.lane.deferrals.set(left.aggregate, left);
  }

  /** Also after the lane was given back and taken again at once; what was opened under another epoch is not to be changed. */
  #isSameHolder(): boolean {
    return this.#waiting.lane.epoch === this.#stay.epoch;
  }

  #assertHeld(): void {
    this.#assertOwned();
    if (!this.#options.isHeld()) throw new LeaseLapsedError();
  }

  #assertOwned(): void {
    const { lane } = this.#waiting;
    if (this.#options.signal.aborted) throw new LaneLostError('This instance is being stopped; try again');
    // Lost and gained again, the lane may have been written by another instance in between.
    if (!lane.isOwned || lane.opening !== this.#opening) throw new LaneLostError('The lane was taken over; try again');
  }
}
