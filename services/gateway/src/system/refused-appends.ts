import type { EventsAppended } from '@mneme/telemetry';

/** So long the event log may fail to take events before it counts as refusing them, in milliseconds; an election takes less. */
const refusingMs = 10_000;
/** A failure says nothing any more after this time, in milliseconds: callers who stay away until this is ready end nothing else. */
const rememberedMs = 60_000;

/** The first and the last failure in a row, by the clock of `performance`. */
interface Failures {
  readonly from: number;
  readonly to: number;
}

/**
 * Remembers which streams of the event log take no events, as far as this process appends any. NATS answers reads, and refuses
 * all writes to a stream after one has failed on a full disk, until it is restarted.
 */
export class RefusedAppends {
  readonly #failures = new Map<string, Failures>();

  note({ stream, outcome, isAway }: Pick<EventsAppended, 'stream' | 'outcome' | 'isAway'>): void {
    const now = performance.now();
    const last = this.#failures.get(stream);
    const isInARow = last !== undefined && now - last.to < rememberedMs;
    if (isAway) this.#failures.set(stream, { from: isInARow ? last.from : now, to: now });
    else if (outcome !== 'failed') this.#failures.delete(stream);
  }

  /** To be called when the connection was lost: the server may have been restarted. */
  forget(): void {
    this.#failures.clear();
  }

  /** What takes no events, in one sentence; undefined when none is known to refuse them. */
  get reason(): string | undefined {
    const now = performance.now();
    const refusing = [...this.#failures]
      .filter(([, { from, to }]) => to - from >= refusingMs && now - to < rememberedMs)
      .map(([stream]) => stream);
    return refusing.length === 0 ? undefined : `takes no events: ${refusing.join(', ')}`;
  }
}
