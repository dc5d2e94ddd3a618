import { eventIdOf } from '../log/decode.ts';
import type { StoredMessage } from '../log/log.ts';

/**
 * The most events that are remembered although the consumer has handed them out and they have not come here: they are on their
 * way. Further ones went to another instance.
 */
const maxOnTheirWay = 1_000;

interface Outcome {
  /** Of the event: a restored log may have another one at this sequence. */
  readonly id: string;
  /** When it may be tried again, by the monotonic clock in milliseconds; it is done if not given. */
  readonly retryAtMs?: number;
}

/** What became of events that were handled before the consumer has handed them out, by sequence. Nothing outlives the process. */
export class HandledAhead {
  readonly #outcomes = new Map<number, Outcome>();

  get size(): number {
    return this.#outcomes.size;
  }

  noteDone(sequence: number, id: string): void {
    this.#outcomes.set(sequence, { id });
  }

  /** @param waitMs before it may be tried again */
  noteFailed(sequence: number, id: string, waitMs: number): void {
    if (waitMs > 0) this.#outcomes.set(sequence, { id, retryAtMs: performance.now() + waitMs });
  }

  /**
   * What to do with an event that the consumer has handed out; its outcome is forgotten then.
   * @returns `done`; after how many milliseconds to hand it out again; undefined if it is to be handled now
   */
  take(message: StoredMessage): 'done' | number | undefined {
    const outcome = this.#outcomes.get(message.sequence);
    this.#outcomes.delete(message.sequence);
    if (outcome === undefined || outcome.id !== eventIdOf(message)) return undefined;
    if (outcome.retryAtMs === undefined) return 'done';
    const waitMs = Math.ceil(outcome.retryAtMs - performance.now());
    return waitMs > 0 ? waitMs : undefined;
  }

  /**
   * Forgets what is settled, and what most likely went to other instances, which handle it once more. An event that is never
   * acknowledged may hold up the floor below which all is settled for ever.
   * @param delivered the highest sequence that the consumer has handed out
   * @param settled up to which all are acknowledged
   */
  forgetPassed({ delivered, settled }: { readonly delivered: number; readonly settled: number }): void {
    const passed = [...this.#outcomes.keys()].filter((sequence) => sequence <= delivered);
    const isLeft = (sequence: number, index: number) => sequence <= settled || index < passed.length - maxOnTheirWay;
    for (const sequence of passed.filter(isLeft)) this.#outcomes.delete(sequence);
  }
}
