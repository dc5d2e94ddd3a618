import type { Lane } from './lane.ts';

export interface LanePositionsOptions {
  readonly lanes: readonly Lane[];
  readonly laneOf: (aggregate: string) => number;
  /** Everything up to its position was handed to the lanes. */
  readonly router: { readonly position: number };
}

/** How far the lanes of a version are, as far as this instance knows. */
export class LanePositions {
  readonly #options: LanePositionsOptions;
  /** The last sequence of the log that is known of. */
  head = 0;

  constructor(options: LanePositionsOptions) {
    this.#options = options;
  }

  get lanes(): readonly Lane[] {
    return this.#options.lanes;
  }

  get owned(): readonly Lane[] {
    return this.lanes.filter(({ isOwned }) => isOwned);
  }

  laneOf(aggregate: string): Lane | undefined {
    return this.lanes[this.#options.laneOf(aggregate)];
  }

  /** The lane of an aggregate, or all lanes. */
  lanesOf(aggregate: string | undefined): readonly Lane[] {
    if (aggregate === undefined) return this.lanes;
    const lane = this.laneOf(aggregate);
    return lane ? [lane] : [];
  }

  /** Where nothing waits, a lane is as far as the router. */
  of(lane: Lane): number {
    const position = lane.tracker.position();
    return lane.isOwned && lane.isIdle ? Math.max(position, this.#options.router.position) : position;
  }

  /** Of the lane of an aggregate, or of the lane that is furthest behind. */
  least(aggregate?: string): number {
    return this.lanesOf(aggregate).reduce((least, lane) => Math.min(least, this.of(lane)), Number.MAX_SAFE_INTEGER);
  }

  /** Of the lane that is furthest behind, among those that this instance holds. */
  leastOwned(): number {
    const { owned } = this;
    return owned.length === 0 ? this.head : Math.min(...owned.map((lane) => this.of(lane)));
  }

  /** What the lane that is furthest ahead has reached. */
  furthest(): number {
    return Math.max(this.#options.router.position, ...this.lanes.map((lane) => this.of(lane)));
  }

  /** Tells those who wait for an idle lane how far the router is. */
  advanceIdle(): void {
    const { position } = this.#options.router;
    this.head = Math.max(this.head, position);
    for (const lane of this.lanes) {
      if (lane.isOwned && lane.isIdle && lane.tracker.hasWaiters() && lane.tracker.position() < position) {
        lane.tracker.moveTo(position);
      }
    }
  }
}
