import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '@mneme/contracts';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Collection, Db, MongoClient } from 'mongodb';
import type { EventStoreLogger } from '../logger.ts';
import { mongoCheckpoints } from '../mongo/mongo-checkpoints.ts';
import { liveVersion, switchLive } from '../mongo/read-model-version.ts';
import { runLeasedProjection } from '../mongo/run-leased-projection.ts';
import type { RunningProjection } from '../projection/run-projection.ts';
import type { Collections, ReadModelForm } from './read-model-form.ts';
import { addVersion, forgetVersion, isServed, servedVersion, versionsBefore } from './versions.ts';

export interface ReadModelDeps {
  readonly connection: NatsConnection;
  readonly client: MongoClient;
  readonly db: Db;
  readonly logger: EventStoreLogger;
}

interface OpenVersion<C> {
  readonly version: number;
  readonly collections: C;
  readonly projection: RunningProjection;
}

/** A replaced version that goes on for a while. */
interface Outgoing {
  readonly end: AbortController;
  readonly ended: Promise<void>;
}

/** After so long without a sign of life of the instance that projects, another one takes over, in milliseconds. */
const leaseMs = 3_000;
/** How often to look whether another instance has made another version live, in milliseconds. */
const lookMs = 1_000;
/** How long a replaced version goes on, for those who wait for it, in milliseconds. */
const outgoingMs = 10_000;

/** The version of the read model that answers, kept up to date, and its replacement by a new one. */
export class LiveReadModel<E extends DomainEvent, C extends Collections<C>> {
  readonly #deps: ReadModelDeps;
  readonly #form: ReadModelForm<E, C>;
  readonly #stopping = new AbortController();
  readonly #outgoing: Outgoing[] = [];
  #open: OpenVersion<C>;
  #looking: Promise<void> = Promise.resolve();

  private constructor(deps: ReadModelDeps, form: ReadModelForm<E, C>, open: OpenVersion<C>) {
    this.#deps = deps;
    this.#form = form;
    this.#open = open;
  }

  /** Opens the version that answers, or makes the first one, and keeps it up to date. */
  static async start<E extends DomainEvent, C extends Collections<C>>(
    deps: ReadModelDeps,
    form: ReadModelForm<E, C>,
  ): Promise<LiveReadModel<E, C>> {
    const open = await openVersion(deps, form, await servedVersion({ ...form, db: deps.db }));
    await makeLive(deps.db, form.name, open);
    const readModel = new LiveReadModel(deps, form, open);
    readModel.#looking = readModel.#followLive();
    return readModel;
  }

  collections(): C {
    return this.#open.collections;
  }

  /** Resolves true when the answering version has applied `sequence`, false when that takes longer than `waitMs` milliseconds. */
  async await(sequence: number, waitMs: number): Promise<boolean> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      const open = this.#open;
      if (!(await open.projection.await(sequence, Math.max(0, deadline - Date.now())))) return false;
      if (open === this.#open) return true;
    }
  }

  /** Fills a new version from the log, lets it answer, and drops those before the one that it replaces. */
  async rebuild(): Promise<{ version: number; rows: number }> {
    const before = this.#open;
    const { db } = this.#deps;
    const versions = { ...this.#form, db };
    const next = await openVersion(this.#deps, this.#form, await addVersion(versions, before.version));
    try {
      await next.projection.caughtUp();
      // Where the database was lost, none is live.
      const live = await liveVersion(db, versions.name);
      await switchLive(db, versions.name, live && before.version, next.version);
    } catch (error) {
      await next.projection.stop();
      throw error;
    }
    await this.#endOutgoing();
    await this.#adopt(next);
    await this.#dropVersionsBefore(before.version);
    return { version: next.version, rows: await countRows(next.collections) };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
    await this.#open.projection.stop();
    await this.#endOutgoing();
  }

  async #followLive(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await pause(lookMs, undefined, { signal }).catch(() => undefined);
      // While MongoDB is away there is nothing to follow.
      if (!signal.aborted) await this.#look().catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { db, logger } = this.#deps;
    const live = await liveVersion(db, this.#form.name);
    if (live === undefined || live === this.#open.version) return;
    if (!(await isServed({ ...this.#form, db }, live))) return;
    const next = await openVersion(this.#deps, this.#form, live);
    if (live === this.#open.version) return next.projection.stop();
    const { version: from } = this.#open;
    logger.info({ readModel: this.#form.name, from, to: live }, 'Another version of the read model is to answer');
    await this.#adopt(next);
  }

  /** Lets a version answer as soon as it has all that the one before has: somebody may have waited for that, and reads on. */
  async #adopt(next: OpenVersion<C>): Promise<void> {
    for (let position = 0; ; await next.projection.await(position, lookMs)) {
      // A rebuild and a look at what is live may come to the same version.
      if (this.#stopping.signal.aborted || this.#open.version === next.version) return next.projection.stop();
      position = this.#open.projection.position();
      if (next.projection.position() >= position) break;
    }
    const outgoing = this.#open;
    this.#open = next;
    const end = new AbortController();
    const signal = AbortSignal.any([end.signal, this.#stopping.signal]);
    const ended = pause(outgoingMs, undefined, { signal })
      .catch(() => undefined)
      .then(() => outgoing.projection.stop());
    this.#outgoing.push({ end, ended });
  }

  async #endOutgoing(): Promise<void> {
    const outgoing = this.#outgoing.splice(0);
    for (const { end } of outgoing) end.abort();
    await Promise.all(outgoing.map(({ ended }) => ended));
  }

  async #dropVersionsBefore(version: number): Promise<void> {
    const { db } = this.#deps;
    const { name, collections } = this.#form;
    const versions = { ...this.#form, db };
    for (const old of await versionsBefore(versions, version)) {
      // First of all, since another instance may still be at it, and would fill again what is taken out.
      await mongoCheckpoints(db).retire({ name, version: old });
      await Promise.all(all(collections(db, old)).map((collection) => collection.drop()));
      await forgetVersion(versions, old);
    }
  }
}

async function openVersion<E extends DomainEvent, C extends Collections<C>>(
  { connection, client, db, logger }: ReadModelDeps,
  form: ReadModelForm<E, C>,
  version: number,
): Promise<OpenVersion<C>> {
  const { stream, catalog, batches } = form;
  const collections = form.collections(db, version);
  await form.createIndexes(collections);
  const projection = await runLeasedProjection({
    ...{ connection, db, leaseMs, logger, stream, catalog, ...batches },
    projection: form.projection(client, db, version),
  });
  return { version, collections, projection };
}

/** A version of another form, which an older release has left, answers nothing here; so the start waits. */
async function makeLive<C>(db: Db, name: string, { version, projection }: OpenVersion<C>): Promise<void> {
  const live = await liveVersion(db, name);
  if (live === version) return;
  if (live !== undefined) await projection.caughtUp();
  await switchLive(db, name, live, version).catch(async (error: unknown) => {
    // Another instance that starts may have been faster.
    if ((await liveVersion(db, name)) !== version) throw error;
  });
}

async function countRows<C extends Collections<C>>(collections: C): Promise<number> {
  const counts = await Promise.all(all(collections).map((collection) => collection.countDocuments()));
  return counts.reduce((sum, count) => sum + count, 0);
}

function all<C extends Collections<C>>(collections: C): Collection[] {
  return Object.values(collections);
}
