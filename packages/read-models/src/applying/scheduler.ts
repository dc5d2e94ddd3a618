import type { BatchingDelay } from '../definition.ts';
import type { Lane, QueuedMessage } from '../lanes/lane.ts';
import type { Speed } from './pace.ts';

/** What is taken from one lane to be applied. */
export interface TakenLane {
  readonly lane: Lane;
  readonly messages: readonly QueuedMessage[];
  /** Of the lane when they were taken; in a later one they are read again. */
  readonly opening: number;
  /** Whether they are applied alone, because much is waiting in the lane or it has failed with others. */
  readonly isHeavy: boolean;
  /** Gives the lane back. */
  readonly release: () => void;
}

/** What is applied in one go. */
export interface TakenBatch {
  readonly lanes: readonly TakenLane[];
  /** Of one lane that has much waiting, or has failed with others. */
  readonly isHeavy: boolean;
}

/** A lane with more than this waiting is applied alone, so that what others have is not held up by it. */
const heavyBytes = 128 * 1024;

type Kind = 'heavy' | 'light';

/** Chooses what is applied next: small batches of several lanes together, large ones alone. */
export class Scheduler {
  readonly #lanes: readonly Lane[];
  readonly #pace: { readonly speed: Speed };
  readonly #delay: BatchingDelay | undefined;
  /** Where to look first, so that no lane is always the last; large ones have turns of their own. */
  readonly #next = { heavy: 0, light: 0 };
  /** What goes first when both are ready. */
  #isHeavyNext = true;

  constructor(lanes: readonly Lane[], pace: { readonly speed: Speed }, delay?: BatchingDelay) {
    this.#lanes = lanes;
    this.#pace = pace;
    this.#delay = delay;
  }

  /**
   * Takes messages of lanes that are not in work, and occupies these; undefined when none is ready.
   * @param isForHeavy whether lanes with much waiting may be taken
   */
  take(isForHeavy: boolean): TakenBatch | undefined {
    const heavy = isForHeavy ? this.#inTurn('heavy').find((lane) => this.#isReady(lane)) : undefined;
    const light = this.#inTurn('light').filter((lane) => this.#isReady(lane));
    const { maxEvents, heavyBytes } = this.#pace.speed;
    if (heavy && (this.#isHeavyNext || light.length === 0)) {
      this.#end('heavy', heavy);
      return { lanes: [this.#takeFrom(heavy, { maxEvents, maxBytes: heavyBytes, isHeavy: true })], isHeavy: true };
    }
    const [first] = light;
    if (!first) return undefined;
    this.#end('light', first);
    return { lanes: this.#takeTogether(light), isHeavy: false };
  }

  /**
   * How long until a batch that is held back is ready, in milliseconds; undefined when none is held back.
   * @param isForHeavy whether lanes with much waiting may be taken; the end of a batch is what others of them wait for
   */
  heldBackMs(isForHeavy: boolean): number | undefined {
    const lanes = this.#lanes.filter((lane) => isWaiting(lane) && (isForHeavy || !isToBeAlone(lane)));
    const waits = lanes.map((lane) => this.#readyAt(lane) - performance.now());
    return waits.length === 0 ? undefined : Math.max(0, Math.min(...waits));
  }

  #inTurn(kind: Kind): Lane[] {
    const next = this.#next[kind];
    const lanes = [...this.#lanes.slice(next), ...this.#lanes.slice(0, next)];
    return lanes.filter((lane) => isToBeAlone(lane) === (kind === 'heavy'));
  }

  /** The next lane after this one has the next turn. */
  #end(kind: Kind, { index }: Lane): void {
    this.#next[kind] = (index + 1) % this.#lanes.length;
    this.#isHeavyNext = kind === 'light';
  }

  #takeTogether(lanes: readonly Lane[]): TakenLane[] {
    let { maxEvents, maxBytes } = this.#pace.speed;
    const taken: TakenLane[] = [];
    for (const lane of lanes) {
      if (maxEvents <= 0 || (taken.length > 0 && lane.queuedBytes > maxBytes)) break;
      const from = this.#takeFrom(lane, { maxEvents, maxBytes, isHeavy: false });
      taken.push(from);
      maxEvents -= from.messages.length;
      maxBytes -= from.messages.reduce((sum, { message }) => sum + message.data.byteLength, 0);
    }
    return taken;
  }

  #isReady(lane: Lane): boolean {
    return isWaiting(lane) && this.#readyAt(lane) <= performance.now();
  }

  /** When a lane's messages may be taken, by the clock of `performance`. */
  #readyAt(lane: Lane): number {
    const delay = this.#delay;
    const { maxEvents, maxBytes } = this.#pace.speed;
    const isFull = lane.queue.length >= maxEvents || lane.queuedBytes >= maxBytes;
    if (!delay || isFull || lane.tracker.hasWaiters()) return 0;
    if (lane.queue.some(({ type }) => !delay.types.includes(type ?? ''))) return 0;
    return (delay.sinceLastBatch ? lane.lastBatchAt : lane.queuedAt) + delay.forMs;
  }

  #takeFrom(
    lane: Lane,
    { maxEvents, maxBytes, isHeavy }: { maxEvents: number; maxBytes: number; isHeavy: boolean },
  ): TakenLane {
    const release = lane.occupy();
    lane.lastBatchAt = performance.now();
    return { lane, messages: lane.take(maxEvents, maxBytes), opening: lane.opening, isHeavy, release };
  }
}

function isWaiting(lane: Lane): boolean {
  return lane.isOwned && !lane.isInWork && !lane.isReserved && lane.queue.length > 0;
}

function isToBeAlone(lane: Lane): boolean {
  return lane.isAlone || lane.queuedBytes > heavyBytes;
}
