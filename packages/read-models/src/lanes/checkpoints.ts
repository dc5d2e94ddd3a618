import { eventIdOf } from '@mneme/event-store';
import type { ClientSession, Collection, Db } from 'mongodb';
import { FencedError } from '../errors.ts';
import type { SessionPool } from '../mongo/sessions.ts';
import type { Lane, QueuedMessage } from './lane.ts';

/** An event that a read model has seen, by which its log is recognised. */
export interface SeenEvent {
  readonly sequence: number;
  /** The `ce-id` of the event. */
  readonly id: string;
}

/** How far a lane is, and in which log. */
export interface LaneCheckpoint {
  readonly lane: number;
  readonly position: number;
  /** When the JetStream stream was created that the position is about; null before anything was applied. */
  readonly log: string | null;
  readonly lastEvent: SeenEvent | null;
}

/** Moves one lane. */
export interface LaneMove {
  readonly lane: number;
  readonly epoch: number;
  readonly from: number;
  readonly to: number;
  readonly lastEvent: SeenEvent | null;
}

/** The checkpoints of the lanes of one version. */
export interface LaneCheckpoints {
  /** Makes the checkpoints of a new version, at 0. */
  create(): Promise<void>;
  /** @returns those that are there; fewer than there are lanes when some were lost */
  read(): Promise<readonly LaneCheckpoint[]>;
  /**
   * Takes lanes over: writers with a smaller epoch are fenced from now on.
   * @returns the checkpoints of the lanes
   */
  fence(lanes: readonly { readonly lane: number; readonly epoch: number }[]): Promise<readonly LaneCheckpoint[]>;
  /**
   * Moves lanes that stand where they should.
   * @throws FencedError when one of them does not, or has a newer holder; nothing is moved then if there is a session
   */
  move(moves: readonly LaneMove[], log: string, session?: ClientSession): Promise<void>;
  /** Makes every later move fail. */
  retire(): Promise<void>;
  drop(): Promise<void>;
}

interface StoredCheckpoint {
  /** `<name>@<version>/<lane>` */
  readonly _id: string;
  readonly version: string;
  readonly lane: number;
  readonly position: number;
  readonly epoch: number;
  readonly log: string | null;
  readonly lastEvent: SeenEvent | null;
  readonly updatedAt: Date;
}

/** Where the checkpoints of all versions are. */
export const checkpointsCollection = 'read_model_checkpoints';
/** Larger than the epoch of any lease. */
const retiredEpoch = Number.MAX_SAFE_INTEGER;

/** Checkpoints in the database that the read model is written to. @param key such as `memory@3` */
export function mongoLaneCheckpoints(db: Db, key: string, lanes: number): LaneCheckpoints {
  const checkpoints: Collection<StoredCheckpoint> = db.collection(checkpointsCollection);
  const idOf = (lane: number) => `${key}/${lane}`;
  const ofVersion = { version: key };
  return {
    create: async () => {
      const blank = { version: key, position: 0, epoch: 0, log: null, lastEvent: null, updatedAt: new Date() };
      const writes = Array.from({ length: lanes }, (_, lane) => ({
        updateOne: { filter: { _id: idOf(lane) }, update: { $setOnInsert: { ...blank, lane } }, upsert: true },
      }));
      await checkpoints.bulkWrite(writes, { ordered: false });
    },
    read: () => checkpoints.find(ofVersion).sort({ lane: 1 }).toArray(),
    fence: async (taken) => {
      if (taken.length === 0) return [];
      const writes = taken.map(({ lane, epoch }) => ({
        updateOne: { filter: { _id: idOf(lane), epoch: { $lt: epoch } }, update: { $set: { epoch } } },
      }));
      await checkpoints.bulkWrite(writes, { ordered: false });
      const epochs = new Map(taken.map(({ lane, epoch }) => [lane, epoch]));
      const found = await checkpoints.find({ _id: { $in: taken.map(({ lane }) => idOf(lane)) } }).toArray();
      return found.filter(({ lane, epoch }) => epochs.get(lane) === epoch);
    },
    move: async (moves, log, session) => {
      const writes = moves.map(({ lane, epoch, from, to, lastEvent }) => {
        const set = { position: to, log, updatedAt: new Date(), ...(lastEvent ? { lastEvent } : {}) };
        return { updateOne: { filter: { _id: idOf(lane), epoch, position: from }, update: { $set: set } } };
      });
      const { matchedCount } = await checkpoints.bulkWrite(writes, session ? { session, ordered: true } : {});
      if (matchedCount < moves.length) throw new FencedError(key, moves[0]?.from ?? 0);
    },
    retire: async () => {
      await checkpoints.updateMany(ofVersion, { $set: { epoch: retiredEpoch } });
    },
    drop: async () => {
      await checkpoints.deleteMany(ofVersion);
    },
  };
}

/** The largest epoch of the checkpoints of a version that is not retired; 0 when there are none. @param key such as `memory@3` */
export async function highestEpoch(db: Db, key: string): Promise<number> {
  const checkpoints: Collection<StoredCheckpoint> = db.collection(checkpointsCollection);
  const working = { version: key, epoch: { $lt: retiredEpoch } };
  const highest = await checkpoints.findOne(working, { sort: { epoch: -1 }, projection: { epoch: 1 } });
  return highest?.epoch ?? 0;
}

/** Moves the lanes of a version, alone or together with what is written for them. */
export interface LaneMoves {
  /** @throws FencedError */
  move(moves: readonly LaneMove[]): Promise<void>;
  /**
   * Moves lanes, then writes, in one transaction. The checkpoints first: a second writer waits or fails there, before it has
   * written anything. A lane that stays where it is fences as well.
   * @throws FencedError; nothing is written then
   */
  moveWith(moves: readonly LaneMove[], write: (session: ClientSession) => Promise<void>): Promise<void>;
}

/** @param log when the JetStream stream was created that the version is made of */
export function laneMoves(
  checkpoints: Pick<LaneCheckpoints, 'move'>,
  sessions: Pick<SessionPool, 'transact'>,
  log: () => string,
): LaneMoves {
  return {
    move: (moves) => checkpoints.move(moves, log()),
    moveWith: (moves, write) =>
      sessions.transact(async (session) => {
        await checkpoints.move(moves, log(), session);
        await write(session);
      }),
  };
}

/** Moves a lane to the last of its messages up to a sequence; nothing when it is there already. */
export function moveOf(lane: Lane, messages: readonly QueuedMessage[], upTo: number): LaneMove[] {
  const last = messages.findLast(({ message }) => message.sequence <= upTo)?.message;
  if (!last || last.sequence <= lane.checkpoint) return [];
  const id = eventIdOf(last);
  const lastEvent: SeenEvent | null = id ? { sequence: last.sequence, id } : null;
  return [{ lane: lane.index, epoch: lane.epoch, from: lane.checkpoint, to: last.sequence, lastEvent }];
}

/** Leaves a lane where it is; written all the same, it fences. */
export function stayOf({ index: lane, epoch, checkpoint }: Lane): LaneMove {
  return { lane, epoch, from: checkpoint, to: checkpoint, lastEvent: null };
}
