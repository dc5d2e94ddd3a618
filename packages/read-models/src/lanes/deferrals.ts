import type { WireError } from '@mneme/contracts';
import { type Log, messageAt } from '@mneme/event-store';
import type { ClientSession, Collection, Db } from 'mongodb';
import { behind, FencedError } from '../errors.ts';
import { makeIndexes } from '../mongo/make-indexes.ts';
import { mongoIdentity } from '../mongo/mongo-store.ts';
import type { Deferral } from './lane.ts';
import type { LaneScheme } from './lane-scheme.ts';

interface StoredDeferral extends Deferral {
  /** `<name>@<version>/<aggregate>` */
  readonly _id: string;
  readonly version: string;
  readonly deferredAt: Date;
}

type Waiting = Pick<Deferral, 'aggregate' | 'from'>;

/** Where the deferrals of all versions are. */
export const deferralsCollection = 'read_model_deferrals';

/** Makes what cannot be made within a transaction. */
export async function createDeferrals(db: Db): Promise<void> {
  await makeIndexes([[db.collection(deferralsCollection), [{ key: { version: 1 } }]]]);
}

/** What changes when the deferrals of a database are lost with it; undefined when there are none. */
export async function deferralsId(db: Db): Promise<string | undefined> {
  const [id] = Object.values(await mongoIdentity(db, [deferralsCollection]));
  return id;
}

/**
 * The aggregates of one version whose events wait for an operator, or for a newer release.
 * @param key such as `memory@3`
 */
export function mongoDeferrals(db: Db, key: string) {
  const deferrals: Collection<StoredDeferral> = db.collection(deferralsCollection);
  const idOf = (aggregate: string) => `${key}/${aggregate}`;
  const within = (session: ClientSession | undefined) => (session ? { session } : {});
  return {
    list: async (): Promise<Deferral[]> => {
      const rows = await deferrals.find({ version: key }).sort({ from: 1 }).toArray();
      return rows.map(({ _id, version, deferredAt, ...deferral }) => deferral);
    },
    put: async (deferral: Deferral, session?: ClientSession) => {
      const row = { version: key, ...deferral, deferredAt: new Date() };
      await deferrals.replaceOne({ _id: idOf(deferral.aggregate) }, row, { upsert: true, ...within(session) });
    },
    /**
     * Events before the sequence are applied; those from it on still wait.
     * @throws FencedError when the aggregate does not wait as is believed
     */
    advance: async ({ aggregate, from }: Waiting, to: number, session?: ClientSession) => {
      const _id = idOf(aggregate);
      const { matchedCount } = await deferrals.updateOne({ _id, from }, { $set: { from: to } }, within(session));
      if (matchedCount === 0) throw new FencedError(_id, from);
    },
    /**
     * Nothing of the aggregate waits any more.
     * @throws FencedError when it does not wait as is believed
     */
    finish: async ({ aggregate, from }: Waiting, session?: ClientSession) => {
      const _id = idOf(aggregate);
      const { deletedCount } = await deferrals.deleteOne({ _id, from }, within(session));
      if (deletedCount === 0) throw new FencedError(_id, from);
    },
    /** Removes what waits of an aggregate, if anything does. */
    remove: async (aggregate: string, session?: ClientSession) => {
      await deferrals.deleteOne({ _id: idOf(aggregate) }, within(session));
    },
    drop: async () => {
      await deferrals.deleteMany({ version: key });
    },
  };
}

export type Deferrals = ReturnType<typeof mongoDeferrals>;

interface WithDeferrals {
  status(): { readonly deferrals: readonly Deferral[] };
  deferralOf(aggregate: string, sequence?: number): Deferral | undefined;
}

/**
 * Makes sure that one event was applied, and is not waiting with its aggregate; the log is asked where it stands only if
 * some aggregate waits.
 * @throws WireError 503 `READ_MODEL_BEHIND` when it waits
 */
export async function assertApplied(
  run: WithDeferrals,
  { log, lanes }: { readonly log: Log; readonly lanes: LaneScheme },
  sequence: number,
): Promise<void> {
  if (!run.status().deferrals.some(({ from }) => from <= sequence)) return;
  const message = await messageAt(log, sequence);
  const aggregate = message && (await lanes.aggregateOf(message));
  const deferral = aggregate === undefined ? undefined : run.deferralOf(aggregate, sequence);
  if (deferral) throw deferred(deferral);
}

/** What readers are told; `waiting_event` is the sequence of an event that an operator has to retry or discard. */
export function deferred({ from, type, kind }: Deferral): WireError {
  const event = `Event ${from} (${type ?? 'unreadable'}) could not be applied here`;
  if (kind === 'unknown-type') return behind(`${event}, and waits for the release that knows it`);
  return behind(`${event}, and waits for an operator`, { waiting_event: from });
}
