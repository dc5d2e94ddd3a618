import type { BatchLimits } from '../definition.ts';
import type { Lane, QueuedMessage } from './lane.ts';

/** What is taken from one lane to be applied. */
export interface TakenLane {
  readonly lane: Lane;
  readonly messages: readonly QueuedMessage[];
}

const defaults = { maxEvents: 500, maxBytes: 4 * 1024 * 1024 };
/** A lane with more than this waiting is applied alone, so that what others have is not held up by it. */
const heavyBytes = 128 * 1024;

/** Chooses what is applied next: small batches of several lanes together, large ones alone. */
export class Scheduler {
  readonly #lanes: readonly Lane[];
  readonly #limits: Required<Pick<BatchLimits, 'maxEvents' | 'maxBytes'>> & Pick<BatchLimits, 'delay'>;
  /** Where to look first, so that no lane is always the last. */
  #next = 0;

  constructor(lanes: readonly Lane[], limits: BatchLimits = {}) {
    this.#lanes = lanes;
    this.#limits = { ...defaults, ...limits };
  }

  /** Takes messages of lanes that are not in work, and marks these as in work; nothing when none is ready. */
  take(): TakenLane[] {
    const ready = this.#inTurn().filter((lane) => this.#isReady(lane));
    const [first] = ready;
    if (!first) return [];
    this.#next = (first.index + 1) % this.#lanes.length;
    if (isToBeAlone(first)) return [this.#takeFrom(first, this.#limits.maxEvents, this.#limits.maxBytes)];
    const taken: TakenLane[] = [];
    let { maxEvents, maxBytes } = this.#limits;
    for (const lane of ready) {
      if (isToBeAlone(lane)) continue;
      if (maxEvents <= 0 || (taken.length > 0 && lane.queuedBytes > maxBytes)) break;
      const from = this.#takeFrom(lane, maxEvents, maxBytes);
      taken.push(from);
      maxEvents -= from.messages.length;
      maxBytes -= from.messages.reduce((sum, { message }) => sum + message.data.byteLength, 0);
    }
    return taken;
  }

  /** How long until a batch that is held back is ready, in milliseconds; undefined when none is held back. */
  heldBackMs(): number | undefined {
    const waits = this.#lanes.filter(isWaiting).map((lane) => this.#readyAt(lane) - performance.now());
    return waits.length === 0 ? undefined : Math.max(0, Math.min(...waits));
  }

  #inTurn(): Lane[] {
    return [...this.#lanes.slice(this.#next), ...this.#lanes.slice(0, this.#next)];
  }

  #isReady(lane: Lane): boolean {
    return isWaiting(lane) && this.#readyAt(lane) <= performance.now();
  }

  /** When a lane's messages may be taken, by the clock of `performance`. */
  #readyAt(lane: Lane): number {
    const { delay, maxEvents, maxBytes } = this.#limits;
    const isToWait = delay && lane.queue.length < maxEvents && lane.queuedBytes < maxBytes;
    if (!isToWait || lane.queue.some(({ type }) => !delay.types.includes(type ?? ''))) return 0;
    return (delay.sinceLastBatch ? lane.lastBatchAt : lane.queuedAt) + delay.forMs;
  }

  #takeFrom(lane: Lane, maxEvents: number, maxBytes: number): TakenLane {
    lane.isInWork = true;
    lane.lastBatchAt = performance.now();
    return { lane, messages: lane.take(maxEvents, maxBytes) };
  }
}

function isWaiting(lane: Lane): boolean {
  return lane.isOwned && !lane.isInWork && !lane.isReserved && lane.queue.length > 0;
}

function isToBeAlone(lane: Lane): boolean {
  return lane.isAlone || lane.queuedBytes > heavyBytes;
}
