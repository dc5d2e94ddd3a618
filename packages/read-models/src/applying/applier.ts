import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import type { DomainEvent } from '@mneme/contracts';
import {
  decodeEvent,
  EventLogUnavailableError,
  FencedError,
  type Recorded,
  UnreadableEventError,
} from '@mneme/event-store';
import type { ClientSession } from 'mongodb';
import type { Batch, Commit, ReadModelDefinition, ReadModelLogger, ReadModelStore } from '../definition.ts';
import { reasonOf } from '../errors.ts';
import type { LaneCheckpoints, LaneMove, SeenEvent } from '../lanes/checkpoints.ts';
import type { Deferrals } from '../lanes/deferrals.ts';
import type { Deferral, Lane, QueuedMessage } from '../lanes/lane.ts';
import type { TakenLane } from './scheduler.ts';

export interface ApplierOptions<E extends DomainEvent> {
  readonly definition: ReadModelDefinition<E, unknown>;
  readonly store: ReadModelStore<E, unknown>;
  readonly checkpoints: LaneCheckpoints;
  readonly deferrals: Deferrals;
  /** Runs writes in one transaction. */
  readonly transact: (work: (session: ClientSession) => Promise<void>) => Promise<void>;
  /** Whether this instance may surely write now. */
  readonly isHeld: () => boolean;
  /** When the stream was created. */
  readonly log: () => string;
  /** Keeps a copy of an event that could not be applied, for operators. */
  readonly deadLetter: (message: QueuedMessage, deferral: Deferral) => Promise<void>;
  /** Called when a lane was taken over by another instance. */
  readonly onLost: (lane: Lane) => void;
  readonly onApplied: (lane: Lane) => void;
  readonly isStopped: () => boolean;
  /** Aborted when everything is stopped. */
  readonly signal: AbortSignal;
  readonly logger: ReadModelLogger;
}

type Messages = Omit<TakenLane, 'release'>;

/** A lane is no longer this instance's, or everything is being stopped. */
class LaneLostError extends Error {
  override readonly name = 'LaneLostError';
}

/** So much is decoded before others get their turn. */
const bytesPerTurn = 128 * 1024;
const firstRetryMs = 100;
const longestRetryMs = 15_000;
/** A batch is tried so often before it is divided, and a single event before it is given up. */
const triesOfBatch = 2;
const triesOfEvent = 4;
/** After so many events that were given up with no success in between, the store is taken for the cause, and not the events. */
const maxDeferredInARow = 3;

/** Applies messages, and sees to it that an event which cannot be applied holds up no other aggregate. */
export class Applier<E extends DomainEvent> {
  readonly #options: ApplierOptions<E>;
  #deferredInARow = 0;

  constructor(options: ApplierOptions<E>) {
    this.#options = options;
  }

  /** Applies what was taken from some lanes; when that fails, lane by lane, each until it is done or lost. */
  async process(taken: readonly TakenLane[]): Promise<void> {
    await this.#decodeAhead(taken.flatMap(({ messages }) => messages));
    const poisoned = taken.filter(({ lane, messages }) => this.#firstPoison(lane, messages) !== undefined);
    const sound = taken.filter((each) => !poisoned.includes(each));
    const single = taken.length === 1 ? taken[0] : undefined;
    if (single) return this.#processAlone(single);
    try {
      await this.#applyOnce(sound);
      for (const each of sound) this.#release(each);
    } catch {
      // Which lane it is that fails shows when each is applied by itself.
      for (const { lane } of sound) this.#options.store.forgetLane?.(lane.index);
      await Promise.all(sound.map((each) => this.#processAlone(each)));
    }
    await Promise.all(poisoned.map((each) => this.#processAlone(each)));
  }

  /** Decodes large messages one by one, with a turn for others in between. What cannot be read shows later. */
  async #decodeAhead(messages: readonly QueuedMessage[]): Promise<void> {
    let bytes = 0;
    for (const queued of messages) {
      bytes += queued.message.data.byteLength;
      if (bytes < bytesPerTurn || !this.#isUsed(queued)) continue;
      try {
        this.#read(queued);
      } catch {
        // It is dead-lettered when its turn comes.
      }
      await setImmediate();
      bytes = 0;
    }
  }

  /** Works on a lane until its messages are applied, deferred, or not this instance's any more. */
  async #processAlone(taken: TakenLane): Promise<void> {
    const { lane, messages } = taken;
    try {
      for (let left = messages; left.length > 0; ) {
        const poison = this.#firstPoison(lane, left);
        const place = poison ? left.indexOf(poison.message) : left.length;
        if (place > 0) await this.#persist({ ...taken, messages: left.slice(0, place) });
        if (poison) await this.#defer(taken, poison.message, poison.deferral);
        left = left.slice(place + 1);
      }
      lane.isAlone = false;
    } catch (error) {
      if (!(error instanceof LaneLostError)) throw error;
    } finally {
      this.#release(taken);
    }
  }

  #release({ lane, release }: TakenLane): void {
    release();
    this.#options.onApplied(lane);
  }

  /** Applies messages of one lane, however often that takes; divides them when they fail, and gives up single events. */
  async #persist(taken: Messages, isPart = false): Promise<void> {
    const { lane } = taken;
    for (let tries = 0, waits = 0; ; ) {
      this.#assertOwned(taken);
      const left = unapplied(taken);
      if (left.length === 0) return;
      try {
        await this.#applyOnce([{ ...taken, messages: left }]);
        lane.failure = undefined;
        return;
      } catch (error) {
        this.#options.store.forgetLane?.(lane.index);
        if (error instanceof FencedError) return this.#lose(lane);
        this.#note(lane, error);
        if (await this.#isFaultOfEvents(error)) tries += 1;
        const [only, ...others] = left;
        if (others.length > 0 && tries >= (isPart ? 1 : triesOfBatch))
          return this.#divide({ ...taken, messages: left });
        const isHopeless = tries >= triesOfEvent && this.#deferredInARow < maxDeferredInARow;
        if (only && others.length === 0 && isHopeless) {
          return this.#defer(taken, only, deferralOf(lane, only, 'failed', reasonOf(error)));
        }
      }
      await this.#pause(waits);
      waits += 1;
    }
  }

  async #divide(taken: Messages): Promise<void> {
    const { lane, messages } = taken;
    lane.isAlone = true;
    const middle = Math.ceil(messages.length / 2);
    await this.#persist({ ...taken, messages: messages.slice(0, middle) }, true);
    await this.#persist({ ...taken, messages: this.#withoutDeferred(lane, messages.slice(middle)) }, true);
  }

  /** Of an aggregate that was given up meanwhile there is nothing to try any more; the last message moves the position. */
  #withoutDeferred(lane: Lane, messages: readonly QueuedMessage[]): readonly QueuedMessage[] {
    const last = messages.at(-1);
    return messages.filter((each) => each === last || !isDeferred(lane, each));
  }

  async #applyOnce(taken: readonly Messages[]): Promise<void> {
    if (taken.length === 0) return;
    const { store, transact, checkpoints, deferrals } = this.#options;
    const due = taken.map((each) => ({ lane: each.lane, ...this.#due(each.lane, unapplied(each)) }));
    const batch = this.#decode(due);
    const superseded = due.flatMap(({ lane, superseded }) => [...superseded].map((aggregate) => ({ lane, aggregate })));
    if (batch.events.length === 0) {
      // Nothing is written for events that change nothing; the checkpoint follows with the next that do.
      for (const { lane, messages } of taken) {
        lane.tracker.moveTo(Math.max(lane.tracker.position(), lastSequence(messages)));
      }
      return;
    }
    const commit: Commit = async (upTo, write) => {
      const moved = taken.flatMap(({ lane, messages }) => moveOf(lane, messages, upTo));
      // A lane that stays where it is is written all the same, since that fences.
      const moves = moved.length > 0 ? moved : taken.map(({ lane }) => stayOf(lane));
      for (const each of taken) this.#assertOwned(each);
      this.#assertHeld();
      await transact(async (session) => {
        // The checkpoint first: a second writer then waits or fails here, before it has written anything.
        await checkpoints.move(moves, this.#options.log(), session);
        for (const { aggregate } of superseded) await deferrals.remove(aggregate, session);
        await write(session);
      });
      for (const { lane, aggregate } of superseded) lane.deferrals.delete(aggregate);
      for (const { lane, to } of moves) this.#moved(taken, lane, to);
    };
    await store.apply(batch, commit);
    this.#deferredInARow = 0;
  }

  #moved(taken: readonly Messages[], index: number, to: number): void {
    const lane = taken.find((each) => each.lane.index === index)?.lane;
    if (!lane) return;
    lane.checkpoint = to;
    lane.tracker.moveTo(to);
  }

  #decode(due: readonly { readonly lane: Lane; readonly messages: readonly QueuedMessage[] }[]): Batch<E> {
    const lanes = due.map(({ lane, messages }) => {
      return {
        lane: lane.index,
        events: messages.filter((each) => this.#isUsed(each)).map((each) => this.#read(each)),
      };
    });
    const events = lanes.flatMap((each) => each.events);
    return { lanes, events: events.sort((left, right) => left.position.sequence - right.position.sequence) };
  }

  /** The messages of aggregates that are not deferred, or not any more because of one of these messages. */
  #due(lane: Lane, messages: readonly QueuedMessage[]) {
    const { supersedingTypes = [] } = this.#options.definition;
    const superseded = new Set<string>();
    const isDue = (queued: QueuedMessage) => {
      if (!isDeferred(lane, queued) || superseded.has(queued.aggregate)) return true;
      if (queued.type === undefined || !supersedingTypes.includes(queued.type)) return false;
      superseded.add(queued.aggregate);
      return true;
    };
    return { messages: messages.filter(isDue), superseded };
  }

  #read(queued: QueuedMessage): Recorded<E> {
    queued.event ??= decodeEvent(this.#options.definition.catalog, queued.message);
    return queued.event as Recorded<E>;
  }

  #isUsed({ type }: QueuedMessage): boolean {
    return type !== undefined && this.#options.definition.types.includes(type);
  }

  /** The first message that nobody could apply: one that cannot be read, or is of a type that this release does not know. */
  #firstPoison(
    lane: Lane,
    messages: readonly QueuedMessage[],
  ): { message: QueuedMessage; deferral: Deferral } | undefined {
    const { catalog, ignoredTypes = [] } = this.#options.definition;
    for (const message of this.#due(lane, messages).messages) {
      const { type } = message;
      if (type !== undefined && ignoredTypes.includes(type)) continue;
      if (type !== undefined && !catalog.definitions.has(type)) {
        const reason = `The type ${type} is not known to this release`;
        return { message, deferral: deferralOf(lane, message, 'unknown-type', reason) };
      }
      if (type !== undefined && !this.#isUsed(message)) continue;
      try {
        this.#read(message);
      } catch (error) {
        if (!(error instanceof UnreadableEventError)) throw error;
        return { message, deferral: deferralOf(lane, message, 'unreadable', error.reason) };
      }
    }
    return undefined;
  }

  /** Leaves an aggregate behind from this event on, so that all others can go on. */
  async #defer(taken: Messages, message: QueuedMessage, deferral: Deferral): Promise<void> {
    const { deferrals, checkpoints, logger, definition } = this.#options;
    const { lane } = taken;
    for (let waits = 0; ; waits += 1) {
      this.#assertOwned(taken);
      try {
        await this.#options.deadLetter(message, deferral);
        // The deferral first: should the move not happen, the event is passed over as deferred.
        await deferrals.put(deferral);
        this.#assertHeld();
        await checkpoints.move(moveOf(lane, [message], Number.POSITIVE_INFINITY), this.#options.log());
        break;
      } catch (error) {
        if (error instanceof FencedError) return this.#lose(lane);
        this.#note(lane, error);
        await this.#pause(waits);
      }
    }
    if (deferral.kind === 'failed') this.#deferredInARow += 1;
    lane.deferrals.set(deferral.aggregate, deferral);
    lane.checkpoint = message.message.sequence;
    lane.tracker.moveTo(message.message.sequence);
    lane.failure = undefined;
    const { aggregate, from, kind, reason } = deferral;
    logger.error({ readModel: definition.name, aggregate, sequence: from, kind, reason }, 'Dead-lettered an event');
  }

  /** Waits longer each time; ends at once when everything is stopped. */
  async #pause(waits: number): Promise<void> {
    const { signal } = this.#options;
    await pause(Math.min(firstRetryMs * 3 ** waits, longestRetryMs), undefined, { signal }).catch(() => undefined);
  }

  #note(lane: Lane, error: unknown): void {
    const before = lane.failure ?? { inARow: 0, since: Date.now() };
    lane.failure = { inARow: before.inARow + 1, since: before.since, reason: reasonOf(error) };
    const { logger, definition } = this.#options;
    const about = { err: error, readModel: definition.name, lane: lane.index, inARow: lane.failure.inARow };
    logger.error(about, 'A read model could not be written');
  }

  #lose(lane: Lane): never {
    this.#options.onLost(lane);
    throw new LaneLostError();
  }

  #assertOwned({ lane, opening }: Messages): void {
    if (!lane.isOwned || lane.opening !== opening || this.#options.isStopped()) throw new LaneLostError();
  }

  #assertHeld(): void {
    if (!this.#options.isHeld()) throw new LeaseLapsedError();
  }

  /** What fails while a store, the log or the lease is away is no fault of an event. */
  async #isFaultOfEvents(error: unknown): Promise<boolean> {
    if (error instanceof EventLogUnavailableError || error instanceof LeaseLapsedError) return false;
    return this.#options.store.isReachable().catch(() => false);
  }
}

/** The lease could not be renewed in time, so that another instance may write by now. */
class LeaseLapsedError extends Error {
  override readonly name = 'LeaseLapsedError';

  constructor() {
    super('The lease of the lane was not renewed in time');
  }
}

/** Messages that were not applied yet; a batch may fail when part of it is. */
function unapplied({ lane, messages }: Messages): readonly QueuedMessage[] {
  return messages.filter(({ message }) => message.sequence > lane.tracker.position());
}

function isDeferred(lane: Lane, { aggregate, message }: QueuedMessage): boolean {
  const deferral = lane.deferrals.get(aggregate);
  return deferral !== undefined && message.sequence >= deferral.from;
}

function deferralOf(lane: Lane, queued: QueuedMessage, kind: Deferral['kind'], reason: string): Deferral {
  const { aggregate, message, type = null } = queued;
  return { aggregate, lane: lane.index, from: message.sequence, type, kind, reason: reason.slice(0, maxReasonLength) };
}

const maxReasonLength = 1_000;

function moveOf(lane: Lane, messages: readonly QueuedMessage[], upTo: number): LaneMove[] {
  const last = messages.findLast(({ message }) => message.sequence <= upTo)?.message;
  if (!last || last.sequence <= lane.checkpoint) return [];
  const id = last.headers?.get('ce-id');
  const lastEvent: SeenEvent | null = id ? { sequence: last.sequence, id } : null;
  return [{ lane: lane.index, epoch: lane.epoch, from: lane.checkpoint, to: last.sequence, lastEvent }];
}

function stayOf({ index: lane, epoch, checkpoint }: Lane): LaneMove {
  return { lane, epoch, from: checkpoint, to: checkpoint, lastEvent: null };
}

function lastSequence(messages: readonly QueuedMessage[]): number {
  return messages.at(-1)?.message.sequence ?? 0;
}
