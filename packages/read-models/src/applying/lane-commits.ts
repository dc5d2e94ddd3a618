import type { ClientSession } from 'mongodb';
import type { Commit } from '../definition.ts';
import { type LaneCheckpoints, type SeenEvent, stayOf } from '../lanes/checkpoints.ts';
import type { Lane } from '../lanes/lane.ts';
import type { LaneLeases } from '../lanes/leases.ts';
import { LeaseLapsedError } from './lane-guard.ts';

export interface LaneCommitsOptions {
  readonly lanes: readonly Lane[];
  readonly checkpoints: LaneCheckpoints;
  readonly leases: Pick<LaneLeases, 'isHeld'>;
  /** Everything up to its position was handed to the lanes. */
  readonly router: { readonly position: number; readonly lastEvent: SeenEvent | null };
  /** Runs writes in one transaction. */
  readonly transact: (work: (session: ClientSession) => Promise<void>) => Promise<void>;
  /** When the stream was created. */
  readonly createdAt: () => string;
}

/** Commits under the checkpoints of lanes to which no events are applied. */
export class LaneCommits {
  readonly #options: LaneCommitsOptions;

  constructor(options: LaneCommitsOptions) {
    this.#options = options;
  }

  /** Writes under the checkpoint of a lane, which stays where it is. */
  withoutMove(lane: Lane): Commit {
    const { leases, checkpoints, transact, createdAt } = this.#options;
    return async (_upTo, write) => {
      if (!leases.isHeld()) throw new LeaseLapsedError();
      const stay = stayOf(lane);
      await transact(async (session) => {
        await checkpoints.move([stay], createdAt(), session);
        await write(session);
      });
    };
  }

  /** Writes down how far idle lanes are, so that a start does not read again what concerns others. */
  async moveIdle(): Promise<void> {
    const { lanes, leases, router, checkpoints, createdAt } = this.#options;
    const { position, lastEvent } = router;
    if (!leases.isHeld()) return;
    const idle = lanes.filter((lane) => lane.isOwned && lane.isIdle && lane.checkpoint < position);
    if (idle.length === 0) return;
    const releases = idle.map((lane) => lane.occupy());
    try {
      const moves = idle.map((lane) => ({ ...stayOf(lane), to: position, lastEvent }));
      await checkpoints.move(moves, createdAt());
      for (const lane of idle) lane.checkpoint = position;
    } finally {
      for (const release of releases) release();
      for (const lane of idle) {
        if (lane.tracker.position() < lane.checkpoint) lane.tracker.moveTo(lane.checkpoint);
      }
    }
  }
}
