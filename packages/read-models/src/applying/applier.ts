import type { DomainEvent } from '@mneme/contracts';
import type { ReadModelDefinition, ReadModelStore } from '../definition.ts';
import { FencedError, reasonOf } from '../errors.ts';
import type { Lane, QueuedMessage } from '../lanes/lane.ts';
import { BatchWriter, type BatchWriterOptions, type Messages, unapplied } from './batch-writer.ts';
import { Deferrer, type DeferrerOptions } from './deferrer.ts';
import { faultOf, LaneGuard, type LaneGuardOptions, LaneLostError, type WrittenWith } from './lane-guard.ts';
import { deferralOf, MessageReader } from './message-reader.ts';
import type { TakenLane } from './scheduler.ts';

export interface ApplierOptions<E extends DomainEvent>
  extends Omit<BatchWriterOptions<E>, 'reader' | 'guard'>,
    Omit<DeferrerOptions, 'name' | 'guard'>,
    Omit<LaneGuardOptions, 'name'>,
    Pick<WrittenWith, 'indexes'> {
  readonly definition: ReadModelDefinition<E, unknown>;
  readonly onApplied: (lane: Lane) => void;
}

/** How often a batch is tried before it is divided. */
const triesOfBatch = 2;

/** Applies messages, and sees to it that an event which cannot be applied holds up no other aggregate. */
export class Applier<E extends DomainEvent> {
  readonly #store: ReadModelStore<E, unknown>;
  readonly #writtenWith: WrittenWith;
  readonly #onApplied: (lane: Lane) => void;
  readonly #reader: MessageReader<E>;
  readonly #guard: LaneGuard;
  readonly #writer: BatchWriter<E>;
  readonly #deferrer: Deferrer;

  constructor(options: ApplierOptions<E>) {
    const { name } = options.definition;
    this.#store = options.store;
    this.#writtenWith = options;
    this.#onApplied = options.onApplied;
    this.#reader = new MessageReader(options.definition);
    this.#guard = new LaneGuard({ ...options, name });
    this.#writer = new BatchWriter({ ...options, reader: this.#reader, guard: this.#guard });
    this.#deferrer = new Deferrer({ ...options, name, guard: this.#guard });
  }

  /**
   * Applies what was taken from some lanes; when that fails, lane by lane, each until it is done or lost.
   * @throws unexpected errors; the lanes are given up then, and the instance that takes them reads them again from their checkpoints
   */
  async process(taken: readonly TakenLane[]): Promise<void> {
    try {
      await this.#process(taken);
    } catch (error) {
      for (const each of taken) {
        this.#guard.giveUp(each);
        this.#release(each);
      }
      throw error;
    }
  }

  async #process(taken: readonly TakenLane[]): Promise<void> {
    await this.#reader.decodeAhead(taken.flatMap(({ messages }) => messages));
    const poisoned = taken.filter(({ lane, messages }) => this.#reader.firstPoison(lane, messages) !== undefined);
    const sound = taken.filter((each) => !poisoned.includes(each));
    const single = taken.length === 1 ? taken[0] : undefined;
    if (single) return this.#processAlone(single);
    try {
      await this.#applyOnce(sound);
      for (const each of sound) this.#release(each);
    } catch {
      // Which lane it is that fails shows when each is applied by itself.
      for (const { lane } of sound) this.#store.forgetLane?.(lane.index);
      await Promise.all(sound.map((each) => this.#processAlone(each)));
    }
    await Promise.all(poisoned.map((each) => this.#processAlone(each)));
  }

  /** Works on a lane until its messages are applied, deferred, or not this instance's any more. */
  async #processAlone(taken: TakenLane): Promise<void> {
    const { lane, messages } = taken;
    try {
      for (let left = messages; left.length > 0; ) {
        const poison = this.#reader.firstPoison(lane, left);
        const place = poison ? left.indexOf(poison.message) : left.length;
        if (place > 0) await this.#persist({ ...taken, messages: left.slice(0, place) });
        if (poison) await this.#deferrer.defer(taken, poison.message, poison.deferral);
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
    this.#onApplied(lane);
  }

  /** Applies messages of one lane, however often that takes; divides them when they fail, and gives up single events. */
  async #persist(taken: Messages, isPart = false): Promise<void> {
    const { lane } = taken;
    const suspicion = this.#guard.suspect();
    for (let waits = 0; ; waits += 1) {
      this.#guard.assertOwned(taken);
      const left = unapplied(taken);
      if (left.length === 0) return;
      try {
        await this.#applyOnce([{ ...taken, messages: left }]);
        lane.failure = undefined;
        return;
      } catch (error) {
        this.#store.forgetLane?.(lane.index);
        if (error instanceof LaneLostError) throw error;
        if (error instanceof FencedError) this.#guard.lose(lane);
        this.#guard.noteFailure(lane, error);
        suspicion.note(await faultOf(this.#writtenWith, error));
        const [only, ...others] = left;
        if (others.length > 0 && suspicion.failures >= (isPart ? 1 : triesOfBatch))
          return this.#divide({ ...taken, messages: left });
        if (only && others.length === 0 && suspicion.isSettled && this.#deferrer.isAllowed) {
          return this.#deferrer.defer(taken, only, deferralOf(lane, only, 'failed', reasonOf(error)));
        }
      }
      await this.#guard.pauseBeforeRetry(waits);
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
    const due = new Set(this.#reader.due(lane, messages).messages);
    return messages.filter((each) => each === last || due.has(each));
  }

  async #applyOnce(taken: readonly Messages[]): Promise<void> {
    if (taken.length > 0 && (await this.#writer.write(taken))) this.#deferrer.noteSuccess();
  }
}
