import type { ClientSession, Db } from 'mongodb';
import { FencedError } from '../errors.ts';
import { type Advance, projectionKey } from '../projection/projection.ts';

interface Checkpoint {
  readonly _id: string;
  readonly position: number;
  readonly updatedAt: Date;
  /** Whether nobody may move it any more. */
  readonly isRetired?: boolean;
}

interface Key {
  readonly name: string;
  readonly version: number;
}

/** Where the projections of one database stand. */
export interface MongoCheckpoints {
  /** The sequence that the projection has reached; 0 when it has none, and then its checkpoint is made. */
  read(projection: Key): Promise<number>;
  /**
   * Moves a checkpoint if it stands where it should.
   * @throws FencedError when it stands elsewhere.
   */
  advance(projection: Key, advance: Advance, session?: ClientSession): Promise<void>;
  /** The versions of a projection that stand before a sequence. */
  findBehind(name: string, sequence: number): Promise<number[]>;
  /**
   * Finds the same as `findBehind`, and holds them there until the session's
   * transaction ends: a projector that would move one meanwhile waits or fails.
   */
  holdBehind(name: string, sequence: number, session: ClientSession): Promise<number[]>;
  /** Forgets a checkpoint, so that the projection starts from the first event. */
  reset(projection: Key): Promise<void>;
  /** Holds a checkpoint where it is for good: whoever is still at this version is fenced, and writes nothing any more. */
  retire(projection: Key): Promise<void>;
}

export function mongoCheckpoints(db: Db): MongoCheckpoints {
  const checkpoints = db.collection<Checkpoint>('projection_checkpoints');
  const findBehind = (name: string, sequence: number, session?: ClientSession) => {
    // Every key of the projection begins with its name and an `@`, which comes right before `A`.
    const filter = { _id: { $gt: `${name}@`, $lt: `${name}A` }, position: { $lt: sequence } };
    return checkpoints.find(filter, session ? { session } : {}).toArray();
  };
  return {
    read: async (projection) => {
      const _id = projectionKey(projection);
      const found = await checkpoints.findOneAndUpdate(
        { _id },
        { $setOnInsert: { position: 0, updatedAt: new Date() } },
        { upsert: true, returnDocument: 'after' },
      );
      return found?.position ?? 0;
    },
    advance: async (projection, { from, to }, session) => {
      const _id = projectionKey(projection);
      const result = await checkpoints.updateOne(
        { _id, position: from, isRetired: { $ne: true } },
        { $set: { position: to, updatedAt: new Date() } },
        session ? { session } : {},
      );
      if (result.matchedCount === 0) throw new FencedError(_id, from);
    },
    findBehind: async (name, sequence) => (await findBehind(name, sequence)).map(versionOf),
    holdBehind: async (name, sequence, session) => {
      const behind = await findBehind(name, sequence, session);
      const _id = { $in: behind.map((checkpoint) => checkpoint._id) };
      if (behind.length > 0) await checkpoints.updateMany({ _id }, { $set: { updatedAt: new Date() } }, { session });
      return behind.map(versionOf);
    },
    reset: async (projection) => {
      await checkpoints.deleteOne({ _id: projectionKey(projection) });
    },
    retire: async (projection) => {
      const retirement = { $set: { isRetired: true, updatedAt: new Date() }, $setOnInsert: { position: 0 } };
      await checkpoints.updateOne({ _id: projectionKey(projection) }, retirement, { upsert: true });
    },
  };
}

function versionOf({ _id }: Checkpoint): number {
  return Number(_id.slice(_id.lastIndexOf('@') + 1));
}
