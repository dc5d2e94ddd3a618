import type { Commit } from '../definition.ts';
import { FencedError } from '../errors.ts';
import { type LaneMoves, type SeenEvent, stayOf } from '../lanes/checkpoints.ts';
import type { Lane } from '../lanes/lane.ts';
import type { LaneLeases } from '../lanes/leases.ts';
import { LaneLostError, LeaseLapsedError } from './lane-guard.ts';

export interface LaneCommitsOptions {
  readonly lanes: readonly Lane[];
  readonly checkpoints: LaneMoves;
  readonly leases: Pick<LaneLeases, 'isHeld'>;
  /** Everything up to its position was handed to the lanes. */
  readonly router: { readonly position: number; readonly lastEvent: SeenEvent | null };
  /** Called when a lane was taken over by another instance, or its checkpoint is not where it was left. */
  readonly onLost: (lane: Lane) => void;
}

/** Commits under the checkpoints of lanes to which no events are applied. */
export class LaneCommits {
  readonly #options: LaneCommitsOptions;

  constructor(options: LaneCommitsOptions) {
    this.#options = options;
  }

  /**
   * Returns a commit that writes under the checkpoint of a lane without moving it. The commit fails once the lane was lost
   * after this call, even if it was opened again, because what was read meanwhile may be old.
   */
  withoutMove(lane: Lane): Commit {
    const { leases, checkpoints } = this.#options;
    const opened = openedAs(lane);
    const stay = stayOf(lane);
    return async (_upTo, write) => {
      if (!leases.isHeld()) throw new LeaseLapsedError();
      if (!isStillOpen(opened)) throw new LaneLostError();
      if (await this.#isFenced([opened], () => checkpoints.moveWith([stay], write))) throw new LaneLostError();
    };
  }

  /** Writes down how far idle lanes are, so that a start does not read again what concerns others. */
  async moveIdle(): Promise<void> {
    const { lanes, leases, router, checkpoints } = this.#options;
    const { position, lastEvent } = router;
    if (!leases.isHeld()) return;
    const idle = lanes.filter((lane) => lane.isOwned && lane.isIdle && lane.checkpoint < position);
    if (idle.length === 0) return;
    const releases = idle.map((lane) => lane.occupy());
    try {
      const moves = idle.map((lane) => ({ ...stayOf(lane), to: position, lastEvent }));
      if (await this.#isFenced(idle.map(openedAs), () => checkpoints.move(moves))) return;
      for (const lane of idle) lane.checkpoint = position;
    } finally {
      for (const release of releases) release();
      for (const lane of idle) {
        if (lane.tracker.position() < lane.checkpoint) lane.tracker.moveTo(lane.checkpoint);
      }
    }
  }

  /** Gives lanes up whose move is refused: they are opened again at their stored checkpoints, and would fail until then. */
  async #isFenced(opened: readonly OpenedLane[], move: () => Promise<void>): Promise<boolean> {
    try {
      await move();
      return false;
    } catch (error) {
      if (!(error instanceof FencedError)) throw error;
      for (const each of opened) if (isStillOpen(each)) this.#options.onLost(each.lane);
      return true;
    }
  }
}

/** A lane, and which of its openings is meant. */
interface OpenedLane {
  readonly lane: Lane;
  readonly opening: number;
}

function openedAs(lane: Lane): OpenedLane {
  return { lane, opening: lane.opening };
}

function isStillOpen({ lane, opening }: OpenedLane): boolean {
  return lane.isOwned && lane.opening === opening;
}
