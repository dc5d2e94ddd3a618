import { setTimeout as pause } from 'node:timers/promises';
import { accessEvents, accessStream } from '@mneme/contracts';
import {
  liveVersion,
  mongoCheckpoints,
  type RunningProjection,
  runLeasedProjection,
  switchLive,
} from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Db, MongoClient } from 'mongodb';
import { accessProjection, accessReadModel } from './access-projection.ts';
import { type AccessCollections, accessCollections, countRows, createIndexes, dropCollections } from './collections.ts';
import { addVersion, forgetVersion, isServed, servedVersion, versionsBefore } from './versions.ts';

export interface ReadModelDeps {
  readonly connection: NatsConnection;
  readonly client: MongoClient;
  readonly db: Db;
  readonly logger: Logger;
}

interface OpenVersion {
  readonly version: number;
  readonly collections: AccessCollections;
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
export class LiveReadModel {
  readonly #deps: ReadModelDeps;
  readonly #stopping = new AbortController();
  readonly #outgoing: Outgoing[] = [];
  #open: OpenVersion;
  #looking: Promise<void> = Promise.resolve();

  private constructor(deps: ReadModelDeps, open: OpenVersion) {
    this.#deps = deps;
    this.#open = open;
  }

  static async start(deps: ReadModelDeps): Promise<LiveReadModel> {
    const open = await openVersion(deps, await servedVersion(deps.db));
    await makeLive(deps.db, open);
    const readModel = new LiveReadModel(deps, open);
    readModel.#looking = readModel.#followLive();
    return readModel;
  }

  collections(): AccessCollections {
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
    const next = await openVersion(this.#deps, await addVersion(db, before.version));
    try {
      await next.projection.caughtUp();
      // Where the database was lost, none is live.
      const live = await liveVersion(db, accessReadModel);
      await switchLive(db, accessReadModel, live && before.version, next.version);
    } catch (error) {
      await next.projection.stop();
      throw error;
    }
    await this.#endOutgoing();
    this.#adopt(next);
    await dropVersionsBefore(db, before.version);
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
    const live = await liveVersion(db, accessReadModel);
    if (live === undefined || live === this.#open.version || !(await isServed(db, live))) return;
    const next = await openVersion(this.#deps, live);
    if (live === this.#open.version) return next.projection.stop();
    logger.info({ from: this.#open.version, to: live }, 'Another version of the read model answers');
    this.#adopt(next);
  }

  #adopt(next: OpenVersion): void {
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
}

async function openVersion({ connection, client, db, logger }: ReadModelDeps, version: number): Promise<OpenVersion> {
  const collections = accessCollections(db, version);
  await createIndexes(collections);
  const projection = await runLeasedProjection({
    ...{ connection, db, leaseMs, logger },
    stream: accessStream.name,
    catalog: accessEvents,
    projection: accessProjection(client, db, version),
  });
  return { version, collections, projection };
}

/** A version of another form, which an older release has left, answers nothing here; so the start waits. */
async function makeLive(db: Db, { version, projection }: OpenVersion): Promise<void> {
  const live = await liveVersion(db, accessReadModel);
  if (live === version) return;
  if (live !== undefined) await projection.caughtUp();
  await switchLive(db, accessReadModel, live, version).catch(async (error: unknown) => {
    // Another instance that starts may have been faster.
    if ((await liveVersion(db, accessReadModel)) !== version) throw error;
  });
}

async function dropVersionsBefore(db: Db, version: number): Promise<void> {
  for (const old of await versionsBefore(db, version)) {
    await dropCollections(accessCollections(db, old));
    await mongoCheckpoints(db).reset({ name: accessReadModel, version: old });
    await forgetVersion(db, old);
  }
}
