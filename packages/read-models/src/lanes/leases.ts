import type { ClientBulkWriteModel, Collection, Db } from 'mongodb';
import { combined } from '../mongo/combined.ts';
import { isOlder, isTooFarAhead } from '../mongo/database-clock.ts';
import { highestEpoch } from './checkpoints.ts';

/** A lane that this instance holds. */
export interface HeldLane {
  readonly lane: number;
  /** Counts the holders of the lane. */
  readonly epoch: number;
}

/** What changed at a renewal. */
export interface LeaseChange {
  readonly gained: readonly HeldLane[];
  readonly lost: readonly number[];
}

interface StoredLease {
  /** `<name>@<version>/<lane>` */
  readonly _id: string;
  readonly version: string;
  readonly lane: number;
  readonly holder: string | null;
  readonly expiresAt: Date;
  readonly epoch: number;
}

/** Which instance applies which lanes. */
export const leasesCollection = 'read_model_leases';
/** Which instances have which versions at work. */
export const instancesCollection = 'read_model_instances';

export interface StoredMember {
  /** `<name>@<version>/<instance>` */
  readonly _id: string;
  readonly version: string;
  readonly instance: string;
  readonly expiresAt: Date;
  /** Whether it leaves its lanes to others; earlier releases do not. */
  readonly isAside?: boolean;
}

export interface LaneLeaseOptions {
  readonly db: Db;
  /** Such as `memory@3`. */
  readonly key: string;
  readonly lanes: number;
  /** Unique for the instance. */
  readonly instance: string;
  /** The time without a renewal after which another instance may take over, in milliseconds. */
  readonly ttlMs: number;
  /** Whether this instance leaves its lanes to others; never unless given. */
  readonly isAside?: () => boolean;
}

/** Of a lease or a member that counts no more. A holder that lives is right again with its next renewal. */
const isOver = { $expr: { $or: [{ $lt: ['$expiresAt', '$$NOW'] }, isTooFarAhead('$expiresAt')] } };
const isAlive = { $nor: [isOver] };

type Stored = Record<string, StoredMember | StoredLease>;
type Extension = ClientBulkWriteModel<Stored>;

/** Extends the leases of a version, then its member. @returns how many leases matched */
const extend = combined(async (db, extensions: readonly (readonly [leases: Extension, member: Extension])[]) => {
  const options = { ordered: false, verboseResults: true };
  const written = await db.client.bulkWrite<Stored>(extensions.flat(), options);
  return extensions.map((_, index) => written.updateResults?.get(2 * index)?.matchedCount ?? 0);
});

/** Of a member that takes lanes. */
const isSharing = { ...isAlive, isAside: { $ne: true } };

/** How many instances share the lanes of a version. */
const countOf = combined(async (db, versions: readonly string[]) => {
  const living = { version: { $in: [...versions] }, ...isSharing };
  const found = await db.collection<StoredMember>(instancesCollection).find(living).toArray();
  return versions.map((version) => found.filter((member) => member.version === version).length);
});

/** When what a killed instance has left is deleted, in milliseconds. For a while it still tells who was there. */
const keepMemberMs = 3_600_000;

/** A lane is seldom renewed more often than once a second, so that a newcomer gets its share within two. */
const renewalsPerCount = 2;

/**
 * The right to write lanes of one version, shared between instances: each holds about as many as the others. It keeps two
 * instances from doing the same work; that they do no harm when they do, the epoch in the checkpoint sees to.
 */
export class LaneLeases {
  readonly #options: LaneLeaseOptions;
  readonly #leases: Collection<StoredLease>;
  readonly #members: Collection<StoredMember>;
  readonly #avoided = new Map<number, number>();
  #claimed: ReadonlySet<number> = new Set();
  #held = new Map<number, number>();
  /** How many instances shared the lanes when they were last counted. */
  #memberCount = 1;
  #renewals = 0;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #isMade = false;
  /** Whether what is held is what the database said, and nothing was given back since. */
  #isRead = false;
  #isAside = false;

  constructor(options: LaneLeaseOptions) {
    this.#options = options;
    this.#leases = options.db.collection(leasesCollection);
    this.#members = options.db.collection(instancesCollection);
  }

  /** Whether this instance left its lanes to others at the last renewal. */
  get isAside(): boolean {
    return this.#isAside;
  }

  /** Whether the lease was surely held just now, by this machine's clock. */
  isHeld(): boolean {
    return performance.now() < this.#heldUntil;
  }

  /**
   * Renews what is held, takes what is free, and gives back what is above this instance's share.
   * @param isOpen whether a held lane is already worked on; a lane that is not counts as gained, so that opening it is
   * tried again if that has failed. Unless given, a lane is gained once.
   */
  async renew(isOpen?: (held: HeldLane) => boolean): Promise<LeaseChange> {
    const startedAt = performance.now();
    const isAside = this.#options.isAside?.() ?? false;
    this.#isAside = isAside;
    if (!this.#isMade) await this.#make();
    const extended = await this.#extend(isAside);
    const members = await this.#countMembers();
    const before = this.#held;
    // Lanes are only gained below, so as many as before are the same ones.
    let held = this.#isRead && extended === before.size ? before : await this.#readHeld();
    const share = isAside ? 0 : Math.ceil(this.#options.lanes / Math.max(1, members));
    const isMissing = [...this.#claimed].some((lane) => !held.has(lane));
    if (!isAside && (held.size < share || isMissing)) {
      await this.#takeFree(share - held.size);
      held = await this.#readHeld();
    }
    // What is above the share is given back by the caller, after the batch in work.
    this.#held = held;
    this.#isRead = true;
    this.#heldUntil = startedAt + this.#options.ttlMs;
    const unclaimed = [...held.keys()].filter((lane) => isAside || !this.#claimed.has(lane));
    const surplus = held.size <= share ? [] : unclaimed.slice(Math.max(0, share - (held.size - unclaimed.length)));
    const isKnown = isOpen ?? (({ lane, epoch }: HeldLane) => before.get(lane) === epoch);
    const kept = [...held].filter(([lane]) => !surplus.includes(lane)).map(([lane, epoch]) => ({ lane, epoch }));
    const gained = kept.filter((each) => !isKnown(each));
    const lost = [...before.keys()].filter((lane) => held.get(lane) !== before.get(lane));
    // They may be gone with their database, and then have to be made again.
    if (lost.length > 0) this.#isMade = false;
    return { gained, lost: [...new Set([...lost, ...surplus])] };
  }

  /** Gives lanes back, so that another instance need not wait for the end of the lease. */
  async release(lanes: readonly number[]): Promise<void> {
    if (lanes.length === 0) return;
    this.#isRead = false;
    for (const lane of lanes) this.#held.delete(lane);
    const _id = { $in: lanes.map((lane) => this.#idOf(lane)) };
    const { instance: holder } = this.#options;
    await this.#leases.updateMany({ _id, holder }, { $set: { holder: null, expiresAt: new Date(0) } });
  }

  /** Takes these lanes as soon as they are free, also above this instance's share; earlier claims end. */
  claim(lanes: readonly number[]): void {
    this.#claimed = new Set(lanes);
  }

  /** Does not take these lanes for a while, so that another instance can. */
  avoid(lanes: readonly number[], forMs: number): void {
    for (const lane of lanes) this.#avoided.set(lane, performance.now() + forMs);
  }

  /** The instances that share the lanes now. What others have in work is ended by who takes their lanes. */
  async instances(): Promise<readonly string[]> {
    const living = { version: this.#options.key, ...isSharing };
    return (await this.#members.find(living).toArray()).map(({ instance }) => instance);
  }

  /** Gives everything back. */
  async stop(): Promise<void> {
    this.#heldUntil = Number.NEGATIVE_INFINITY;
    await this.#members.deleteOne({ _id: this.#memberId() });
    await this.release([...this.#held.keys()]);
  }

  #idOf(lane: number): string {
    return `${this.#options.key}/${lane}`;
  }

  #memberId(): string {
    return `${this.#options.key}/${this.#options.instance}`;
  }

  async #make(): Promise<void> {
    const { db, key: version } = this.#options;
    // Leases that were lost and are made anew need larger epochs than any holder has had, also one that did not get as far as
    // the checkpoints; those may come from a clock that was ahead.
    const epoch = Math.max(Date.now(), (await highestEpoch(db, version)) + 1);
    const blank = { version, holder: null, expiresAt: new Date(0), epoch };
    const writes = Array.from({ length: this.#options.lanes }, (_, lane) => ({
      updateOne: { filter: { _id: this.#idOf(lane) }, update: { $setOnInsert: { ...blank, lane } }, upsert: true },
    }));
    await this.#leases.bulkWrite(writes, { ordered: false });
    // Of any version: those of versions that are gone are removed nowhere else. One that lives writes itself down again.
    await this.#members.deleteMany(isOlder('$expiresAt', keepMemberMs));
    this.#isMade = true;
  }

  /** Extends what this instance holds, and says that it is here. @returns how many lanes it holds */
  async #extend(isAside: boolean): Promise<number> {
    const { key: version, instance, ttlMs } = this.#options;
    const expiresAt = { $add: ['$$NOW', ttlMs] };
    const leases = {
      name: 'updateMany',
      namespace: this.#leases.namespace,
      filter: { version, holder: instance },
      update: [{ $set: { expiresAt } }],
    } as const;
    const member = {
      name: 'updateOne',
      namespace: this.#members.namespace,
      filter: { _id: this.#memberId() },
      update: [{ $set: { version, instance, expiresAt, isAside } }],
      upsert: true,
    } as const;
    return extend(this.#options.db, [leases, member]);
  }

  /** Counts the instances that share the lanes, not at every renewal: they seldom come and go. */
  async #countMembers(): Promise<number> {
    const { db, key } = this.#options;
    if (this.#renewals % renewalsPerCount === 0) this.#memberCount = await countOf(db, key);
    this.#renewals += 1;
    return this.#memberCount;
  }

  async #takeFree(count: number): Promise<void> {
    const { instance, key: version, ttlMs } = this.#options;
    const free = await this.#leases.find({ version, ...isOver }, { projection: { lane: 1 } }).toArray();
    const isAvoided = (lane: number) => (this.#avoided.get(lane) ?? 0) > performance.now();
    const allowed = free.filter(({ lane }) => !isAvoided(lane));
    const claimed = allowed.filter(({ lane }) => this.#claimed.has(lane));
    const others = allowed.filter(({ lane }) => !this.#claimed.has(lane));
    const wanted = [...claimed, ...others.slice(0, Math.max(0, count - claimed.length))];
    if (wanted.length === 0) return;
    const taken = { holder: instance, expiresAt: { $add: ['$$NOW', ttlMs] }, epoch: { $add: ['$epoch', 1] } };
    await this.#leases.updateMany({ _id: { $in: wanted.map(({ _id }) => _id) }, ...isOver }, [{ $set: taken }]);
  }

  async #readHeld(): Promise<Map<number, number>> {
    const { instance: holder, key: version } = this.#options;
    const held = await this.#leases.find({ version, holder }).sort({ lane: 1 }).toArray();
    return new Map(held.map(({ lane, epoch }) => [lane, epoch]));
  }
}
