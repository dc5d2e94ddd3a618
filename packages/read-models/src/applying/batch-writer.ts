import type { DomainEvent } from '@mneme/contracts';
import type { Commit, ReadModelStore } from '../definition.ts';
import { type LaneMoves, moveOf, stayOf } from '../lanes/checkpoints.ts';
import type { Deferrals } from '../lanes/deferrals.ts';
import type { QueuedMessage } from '../lanes/lane.ts';
import { type BatchSpansOptions, showInTraces } from './batch-spans.ts';
import type { LaneGuard } from './lane-guard.ts';
import type { MessageReader } from './message-reader.ts';
import type { Pace } from './pace.ts';
import type { TakenLane } from './scheduler.ts';

/** Messages of one lane; the lane is given back elsewhere. */
export type Messages = Omit<TakenLane, 'release'>;

export interface BatchWriterOptions<E extends DomainEvent> extends BatchSpansOptions {
  readonly store: ReadModelStore<E, unknown>;
  readonly checkpoints: LaneMoves;
  readonly deferrals: Deferrals;
  readonly reader: MessageReader<E>;
  readonly guard: LaneGuard;
  readonly pace: Pick<Pace, 'giveWay'>;
}

/** Applies messages of some lanes in one batch, and moves the lanes with it. */
export class BatchWriter<E extends DomainEvent> {
  readonly #options: BatchWriterOptions<E>;

  constructor(options: BatchWriterOptions<E>) {
    this.#options = options;
  }

  /**
   * @returns whether there was anything to write
   * @throws what the store fails with; part of the messages may be applied then
   */
  async write(taken: readonly Messages[]): Promise<boolean> {
    const { store, reader, pace } = this.#options;
    const due = taken.map((each) => reader.due(each.lane, unapplied(each)));
    const batch = reader.batchOf(due);
    if (batch.events.length === 0) {
      // Nothing is written for events that change nothing; the checkpoint follows with the next that do.
      for (const { lane, messages } of taken) {
        lane.tracker.moveTo(Math.max(lane.tracker.position(), lastSequence(messages)));
      }
      return false;
    }
    const superseded = due.flatMap(({ lane, superseded }) => [...superseded].map((aggregate) => ({ lane, aggregate })));
    const from = Date.now();
    const giveWay = pace.giveWay(taken.every(({ isHeavy }) => isHeavy));
    const assertHeld = () => this.#assertHeld(taken);
    await store.apply({ ...batch, giveWay, assertHeld }, this.#commitOf(taken, superseded));
    showInTraces(this.#options, batch, from);
    return true;
  }

  #assertHeld(taken: readonly Messages[]): void {
    const { guard } = this.#options;
    for (const each of taken) guard.assertOwned(each);
    guard.assertHeld();
  }

  #commitOf(
    taken: readonly Messages[],
    superseded: readonly { readonly lane: Messages['lane']; readonly aggregate: string }[],
  ): Commit {
    const { checkpoints, deferrals } = this.#options;
    return async (upTo, write) => {
      const moved = taken.flatMap(({ lane, messages }) => moveOf(lane, messages, upTo));
      // A lane that stays where it is is written all the same, since that fences.
      const moves = moved.length > 0 ? moved : taken.map(({ lane }) => stayOf(lane));
      this.#assertHeld(taken);
      await checkpoints.moveWith(moves, async (session) => {
        for (const { aggregate } of superseded) await deferrals.remove(aggregate, session);
        await write(session);
      });
      for (const { lane, aggregate } of superseded) lane.deferrals.delete(aggregate);
      for (const { lane, to } of moves) moveLane(taken, lane, to);
    };
  }
}

/** Messages that were not applied yet; a batch may fail when part of it is. */
export function unapplied({ lane, messages }: Messages): readonly QueuedMessage[] {
  return messages.filter(({ message }) => message.sequence > lane.tracker.position());
}

function moveLane(taken: readonly Messages[], index: number, to: number): void {
  const lane = taken.find((each) => each.lane.index === index)?.lane;
  if (!lane) return;
  lane.checkpoint = to;
  // While it was idle it may have come further than its checkpoint.
  lane.tracker.moveTo(Math.max(lane.tracker.position(), to));
}

function lastSequence(messages: readonly QueuedMessage[]): number {
  return messages.at(-1)?.message.sequence ?? 0;
}
