import type { Collection, Db } from 'mongodb';
import { instancesCollection, type StoredMember } from '../lanes/leases.ts';
import { combined } from '../mongo/combined.ts';
import { isDuplicateKey } from '../mongo/connect-mongo.ts';
import { isOlder } from '../mongo/database-clock.ts';

/** One version of a read model, as it was made. */
export interface Build {
  readonly name: string;
  readonly version: number;
  readonly form: string;
  /** What the parts of its store were when it was made; null while it is being made. */
  readonly identity: Readonly<Record<string, string>> | null;
  /** What the collections were that are written beside its store; apart, because older releases do not know these parts. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Whether it has been the one that answers. */
  readonly hasAnswered?: boolean;
  /** When it was begun, or its maker last gave a sign of life, by the clock of the database. */
  readonly startedAt: Date;
}

/** Which version of a read model has which role. */
export interface Roles {
  /** The version that answers. */
  readonly live: number | null;
  /** The version that is being built to take its place. */
  readonly target: number | null;
  /** The version that answered before, kept up to date for a while to go back to. */
  readonly previous: { readonly version: number; readonly until: Date } | null;
}

/** The roles as they were read. */
export interface ReadRoles extends Roles {
  /** When, by the clock of the database: those of instances may differ. */
  readonly readAt: Date;
}

interface StoredBuild extends Build {
  /** `<name>@<version>` */
  readonly _id: string;
}

interface StoredRoles extends Roles {
  readonly _id: string;
}

const rolesCollection = 'read_models';

const rolesOf = combined(async (db, names: readonly string[]): Promise<(ReadRoles | undefined)[]> => {
  const found = await db
    .collection<StoredRoles>(rolesCollection)
    .find({ _id: { $in: [...names] } })
    .project<StoredRoles & ReadRoles>({ live: 1, target: 1, previous: 1, readAt: '$$NOW' })
    .toArray();
  return names.map((name) => found.find(({ _id }) => _id === name));
});

/** The time without a sign of the instance that makes a version after which another one makes it, in milliseconds. */
const makingMs = 5_000;

/** Where it is written down which versions of a read model there are; shared by all instances. */
export class Registry {
  readonly #name: string;
  readonly #db: Db;
  readonly #builds: Collection<StoredBuild>;
  readonly #roles: Collection<StoredRoles>;
  readonly #instances: Collection<StoredMember>;

  constructor(db: Db, name: string) {
    this.#name = name;
    this.#db = db;
    this.#builds = db.collection('read_model_builds');
    this.#roles = db.collection(rolesCollection);
    this.#instances = db.collection(instancesCollection);
  }

  /** Undefined when the read model was never made, or its database was lost. */
  roles(): Promise<ReadRoles | undefined> {
    return rolesOf(this.#db, this.#name);
  }

  async begin(): Promise<void> {
    const blank = { live: null, target: null, previous: null };
    await this.#roles.updateOne({ _id: this.#name }, { $setOnInsert: blank }, { upsert: true });
  }

  /** Changes the roles if they are still as they were read. */
  async change(from: Roles, to: Roles): Promise<boolean> {
    const { live, target, previous } = from;
    // A null matches what is missing as well.
    const before = previous ? { 'previous.version': previous.version } : { previous: null };
    const update = { $set: { live: to.live, target: to.target, previous: to.previous } };
    return (await this.#roles.updateOne({ _id: this.#name, live, target, ...before }, update)).matchedCount === 1;
  }

  async build(version: number): Promise<Build | undefined> {
    return (await this.#builds.findOne({ _id: this.#idOf(version) })) ?? undefined;
  }

  /** Whether an instance had the version at work within the last `withinMs` milliseconds, by the clock of the database. */
  async isAtWork(version: number, withinMs: number): Promise<boolean> {
    const seen = { version: this.#idOf(version), $nor: [isOlder('$expiresAt', withinMs)] };
    return (await this.#instances.countDocuments(seen, { limit: 1 })) > 0;
  }

  /**
   * Whether the maker of a version gave a sign of life within the last `withinMs` milliseconds, by the clock of the database. It
   * may be made by now, and not at work yet.
   */
  async isBeingMade(version: number, withinMs: number): Promise<boolean> {
    const seen = { _id: this.#idOf(version), $nor: [isOlder('$startedAt', withinMs)] };
    return (await this.#builds.countDocuments(seen, { limit: 1 })) > 0;
  }

  /** The versions that were begun, or last gave a sign of life, more than `ageMs` milliseconds ago. */
  async begunBefore(ageMs: number): Promise<number[]> {
    const old = await this.#builds.find({ name: this.#name, ...isOlder('$startedAt', ageMs) }).toArray();
    return old.map(({ version }) => version);
  }

  /**
   * Writes down a new version, with a number above all others.
   * @param above a number that is known to be used
   * @returns the number
   */
  async add(form: string, above: number): Promise<number> {
    for (;;) {
      const [newest] = await this.#builds.find({ name: this.#name }).sort({ version: -1 }).limit(1).toArray();
      const version = Math.max(newest?.version ?? 0, above) + 1;
      const _id = this.#idOf(version);
      const blank = { _id, name: this.#name, version, form, identity: null };
      const made = { $replaceWith: { $mergeObjects: [{ $literal: blank }, { startedAt: '$$NOW' }] } };
      try {
        // Matches nothing that is there, so that it inserts or fails; only an update can use the clock of the database.
        await this.#builds.updateOne({ _id, version: { $exists: false } }, [made], { upsert: true });
        return version;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  async complete(version: number, made: Required<Pick<Build, 'identity' | 'beside'>>): Promise<void> {
    await this.#builds.updateOne({ _id: this.#idOf(version) }, { $set: made });
  }

  /** Shows the others that a version is still being made. */
  async keepMaking(version: number): Promise<void> {
    const making = { _id: this.#idOf(version), identity: null };
    await this.#builds.updateOne(making, [{ $set: { startedAt: '$$NOW' } }]);
  }

  /** Takes over a version that some instance has begun to make, and has not been heard of since. */
  async takeOver(version: number): Promise<boolean> {
    const isLate = { ...isOlder('$startedAt', makingMs), identity: null };
    const update = [{ $set: { startedAt: '$$NOW' } }];
    return (await this.#builds.updateOne({ _id: this.#idOf(version), ...isLate }, update)).matchedCount === 1;
  }

  async noteAnswering(version: number): Promise<void> {
    await this.#builds.updateOne({ _id: this.#idOf(version) }, { $set: { hasAnswered: true } });
  }

  async forget(version: number): Promise<void> {
    await this.#builds.deleteOne({ _id: this.#idOf(version) });
  }

  #idOf(version: number): string {
    return `${this.#name}@${version}`;
  }
}
