import { randomUUID } from 'node:crypto';
import type { DomainEvent, ReadModelVersion } from '@mneme/contracts';
import { type BucketOptions, headOf, type Log, openLog, type Recorded } from '@mneme/event-store';
import { oneAtATime } from '@mneme/workers/once';
import { sleep, within } from '@mneme/workers/waits';
import type { z } from 'zod';
import { LeaseLapsedError } from '../applying/lane-guard.ts';
import type { ReadModelDefinition } from '../definition.ts';
import { reasonOf } from '../errors.ts';
import { assertApplied, createDeferrals, deferralsId, mongoDeferrals } from '../lanes/deferrals.ts';
import type { LaneScheme } from '../lanes/lane-scheme.ts';
import { LaneLeases } from '../lanes/leases.ts';
import type { Follower } from '../read-after-write.ts';
import type { VersionDeps } from '../versions/version-parts.ts';
import { VersionRun } from '../versions/version-run.ts';
import { bucketCheckpoints } from './bucket-checkpoints.ts';
import { bucketStore } from './bucket-store.ts';
import { deferFailed } from './defer-failed.ts';
import { foldLog } from './fold-log.ts';
import { fillBucket, type RebuiltBucket, rebuildBucket } from './rebuild-bucket.ts';
import { firstForm, RecordBucket } from './record-bucket.ts';
import type { RecordRules } from './record-rules.ts';

/** What a bucket is kept with. */
export interface BucketDeps extends Omit<VersionDeps, 'instance'> {
  /** How many servers keep it. */
  readonly replicas: number;
}

export interface KeptBucketOptions<E extends DomainEvent, R extends { readonly sequence: number }>
  extends Omit<BucketOptions, 'replicas'>,
    Pick<ReadModelDefinition<E, RecordBucket<R>>, 'stream' | 'catalog'> {
  readonly schema: z.ZodType<R>;
  readonly rules: RecordRules<E, R>;
  /** What the records hold, counted up, 1 unless given: a bucket with records of a lower form is rebuilt in place. */
  readonly form?: number;
  /** The aggregate whose record a message changes. */
  readonly aggregateOf: LaneScheme['aggregateOf'];
  /** The subjects that its events have; all of the stream unless given. */
  readonly subjects?: string;
  /** Called when events are applied. */
  readonly onApplied?: (events: readonly Recorded<E>[]) => void;
}

/** A bucket has no versions: it is rebuilt in place. */
const version = 1;
/** More often than other read models: what a lost bucket does not have is refused. */
const checkEveryMs = 1_000;
const watchEveryMs = 100;
const retryMs = 500;
/** How long a start waits for a bucket that is being filled, in milliseconds. */
const startWaitMs = 10_000;
const fillLeaseMs = 3_000;
/** How often to check whether an earlier release has written records meanwhile, in milliseconds. */
const formCheckMs = 30_000;
/** The first one writes what is wrong, and the last one finds all right. */
const formRounds = 3;

/**
 * A read model in a NATS KV bucket of records. It is kept up to date like any other, with its checkpoint in the bucket
 * itself. A bucket that is gone, empty, or of another log, is filled in place; it has no checkpoint until it is. So is one
 * whose deferrals are lost: they are in MongoDB, and its checkpoint has moved past the events that wait.
 */
export class KeptBucket<E extends DomainEvent, R extends { readonly sequence: number }> implements Follower {
  readonly name: string;
  readonly #deps: VersionDeps;
  readonly #rules: RecordRules<E, R>;
  readonly #form: number;
  readonly #bucket: RecordBucket<R>;
  readonly #definition: ReadModelDefinition<E, RecordBucket<R>>;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #run: VersionRun<E, RecordBucket<R>> | undefined;
  #opened = Promise.withResolvers<void>();
  #reason = 'it is being opened';
  #keeping: Promise<void> = Promise.resolve();

  private constructor(deps: BucketDeps, options: KeptBucketOptions<E, R>, bucket: RecordBucket<R>) {
    const { stream, catalog, rules, aggregateOf, subjects, onApplied, form = firstForm } = options;
    const identity = async () => identityOf(bucket, await deferralsId(deps.db));
    const store = bucketStore({ bucket, rules, identity, ...(onApplied ? { onApplied } : {}) });
    this.name = `${options.name}-bucket`;
    this.#deps = { ...deps, instance: randomUUID() };
    this.#rules = rules;
    this.#form = form;
    this.#bucket = bucket;
    this.#log = openLog(deps.connection, stream);
    this.#definition = {
      name: this.name,
      form: String(form),
      stream,
      catalog,
      types: rules.types,
      store: () => store,
      lanes: { count: 1, aggregateOf, laneOf: () => 0 },
      ...(subjects ? { subjects } : {}),
    };
  }

  /** Opens a bucket, or makes it, and keeps it up to date. Waits a moment until it is filled. */
  static async start<E extends DomainEvent, R extends { readonly sequence: number }>(
    deps: BucketDeps,
    options: KeptBucketOptions<E, R>,
  ): Promise<KeptBucket<E, R>> {
    const bucket = await RecordBucket.open(deps.connection, { ...options, replicas: deps.replicas });
    const kept = new KeptBucket(deps, options, bucket);
    kept.#keeping = kept.#keep();
    await kept.#untilOpened(startWaitMs);
    return kept;
  }

  /**
   * Waits until everything up to a sequence is applied.
   * @returns false when that takes longer than `waitMs` milliseconds, or the bucket is stopped meanwhile
   */
  async await(sequence: number, waitMs: number): Promise<boolean> {
    const deadline = performance.now() + waitMs;
    while (performance.now() < deadline) {
      await this.#untilOpened(deadline - performance.now());
      const run = this.#run;
      if (run && (await run.await(sequence, Math.max(0, deadline - performance.now())))) return true;
      // After a stop neither of these waits takes any time: the loop would block the process until the deadline.
      if (this.#stopping.signal.aborted) return false;
    }
    return false;
  }

  /**
   * Waits until an event and everything before it are applied.
   * @throws WireError 503 `READ_MODEL_BEHIND` when the event itself could not be applied
   */
  async awaitEvent(sequence: number, waitMs: number): Promise<boolean> {
    if (!(await this.await(sequence, waitMs))) return false;
    if (this.#run) await assertApplied(this.#run, { log: this.#log, lanes: this.#definition.lanes }, sequence);
    return true;
  }

  /** What a readiness check has to say: true, or why the bucket cannot be relied upon. */
  readiness(): true | string {
    const reason = this.#run ? this.#run.status().reason : this.#reason;
    return reason === null ? true : `The bucket ${this.#bucket.name} is not up to date: ${reason}`;
  }

  status(): readonly ReadModelVersion[] {
    if (!this.#run) return [];
    const status = this.#run.status();
    if (status.reason !== null) return [{ ...status, state: 'failed' }];
    return [{ ...status, state: status.position < status.head ? 'catching-up' : 'live' }];
  }

  /** Makes it what the log says that it is, while it is read. */
  readonly rebuild: () => Promise<RebuiltBucket> = oneAtATime(async () => {
    if (!this.#run) await this.#untilOpened(startWaitMs);
    const deferred = await this.#deferrals().list();
    const rebuilt = await rebuildBucket({
      bucket: this.#bucket,
      rules: this.#rules,
      fold: () => this.#fold(deferred),
      head: () => headOf(this.#log),
      isLeavingOut: async () => deferred.length > 0 || (await this.#deferrals().list()).length > 0,
    });
    if (rebuilt.unverified > 0) {
      const kept = { bucket: this.#bucket.name, records: rebuilt.unverified };
      this.#deps.logger.warn(kept, 'Records were kept that may follow from events which could not be read');
    }
    return rebuilt;
  });

  /** Applies what an aggregate has waited with. @param discarded an event to leave out for good */
  async retry(_version: number, aggregate: string, discarded?: number): Promise<void> {
    if (!this.#run) throw new Error(`The bucket ${this.#bucket.name} is not there yet: ${this.#reason}`);
    await this.#run.retry(aggregate, discarded);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#opened.resolve();
    await this.#keeping;
    await this.#run?.stop();
  }

  async #untilOpened(waitMs: number): Promise<void> {
    await within(this.#opened.promise, waitMs);
  }

  async #keep(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#open();
        if (this.#run) await this.#watch(this.#run);
      } catch (error) {
        if (signal.aborted) return;
        this.#reason = reasonOf(error);
        this.#deps.logger.warn({ err: error, bucket: this.#bucket.name }, 'A bucket cannot be opened');
        await sleep(retryMs, signal);
      }
    }
  }

  async #open(): Promise<void> {
    const bucket = this.#bucket;
    const { db } = this.#deps;
    await bucket.make();
    await createDeferrals(db);
    const { record, revision } = await bucket.checkpoint();
    if (!record) return this.#fillOnce();
    const deferrals = record.deferrals ?? (await deferralsId(db));
    const identity = await identityOf(bucket, deferrals);
    const checkpoints = bucketCheckpoints(bucket, deferrals ?? null, this.#form);
    const store = this.#definition.store(version, this.#definition.form);
    const options = {
      definition: this.#definition,
      version,
      store,
      checkpoints,
      identity,
      checkEveryMs,
      batchesAtOnce: 1,
    };
    const run = await VersionRun.start(this.#deps, options);
    if (run.mismatch === undefined) {
      this.#run = run;
      this.#opened.resolve();
      return;
    }
    this.#lose(run.mismatch);
    await run.stop();
    // From now on readers know that it is not filled.
    await bucket.removeCheckpoint(revision);
  }

  /** Waits until the bucket or its log turns out to be another one. */
  async #watch(run: VersionRun<E, RecordBucket<R>>): Promise<void> {
    const { signal } = this.#stopping;
    let formCheckedAt = Number.NEGATIVE_INFINITY;
    for (;;) {
      if (performance.now() - formCheckedAt >= formCheckMs) {
        void this.#bringToForm();
        formCheckedAt = performance.now();
      }
      await sleep(watchEveryMs, signal);
      if (signal.aborted) return;
      const { mismatch } = run;
      if (mismatch === undefined) continue;
      this.#opened = Promise.withResolvers();
      this.#run = undefined;
      this.#lose(mismatch);
      await run.stop();
      return;
    }
  }

  /** Rebuilds what an earlier release has written. It is read meanwhile, so that what a release adds to a record is optional. */
  readonly #bringToForm = oneAtATime(async (): Promise<void> => {
    const bucket = this.#bucket;
    const form = this.#form;
    try {
      for (let round = 1; round <= formRounds; round += 1) {
        const { record, revision } = await bucket.checkpoint();
        if (!record || record.form >= form) return;
        const { records, changed } = await this.rebuild();
        // The records were right while the checkpoint stood still, so that no one else has written in between.
        if (changed > 0 || !(await bucket.writeCheckpoint({ ...record, form }, revision))) continue;
        this.#deps.logger.info({ bucket: bucket.name, form, records }, 'A bucket has the form of this release');
        return;
      }
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#deps.logger.warn({ err: error, bucket: bucket.name, form }, 'A bucket cannot be brought to a new form');
    }
  });

  #lose(mismatch: string): void {
    this.#reason = `${mismatch}; it is being filled again`;
    this.#deps.logger.error({ bucket: this.#bucket.name, reason: mismatch }, 'A bucket is filled again');
  }

  /** Fills the bucket, unless another instance is at it. */
  async #fillOnce(): Promise<void> {
    const { db, instance } = this.#deps;
    const key = `${this.name}/fill`;
    const leases = new LaneLeases({ db, key, lanes: 1, instance, ttlMs: fillLeaseMs });
    const { gained } = await leases.renew();
    if (gained.length === 0) {
      await sleep(retryMs, this.#stopping.signal);
      return leases.stop();
    }
    let isLost = false;
    const renew = async () => {
      const { lost } = await leases.renew();
      // Also where it was gained once more: another instance may have filled the bucket in between.
      isLost ||= lost.length > 0;
    };
    const renewing = setInterval(() => void renew().catch(() => undefined), fillLeaseMs / 3);
    const assertHeld = () => {
      if (isLost || !leases.isHeld()) throw new LeaseLapsedError();
    };
    try {
      await this.#fill(assertHeld);
    } finally {
      clearInterval(renewing);
      await leases.stop().catch(() => undefined);
    }
  }

  async #fill(assertHeld: () => void): Promise<void> {
    const bucket = this.#bucket;
    const { record, revision } = await bucket.checkpoint();
    // Another instance may have filled it before it gave the lease back.
    if (record) return;
    const { connection, db } = this.#deps;
    const { stream } = this.#definition;
    const deferrals = (await deferralsId(db)) ?? null;
    const deferring = { connection, stream, by: `${this.name}@${version}`, deferrals: this.#deferrals() };
    const { records, position } = await fillBucket({
      bucket,
      rules: this.#rules,
      fold: () => this.#fold([]),
      form: this.#form,
      revision,
      deferrals,
      assertHeld,
      onFailed: (failed) => deferFailed(deferring, failed),
    });
    this.#deps.logger.info({ bucket: bucket.name, records, position }, 'Filled a bucket from the log');
  }

  #fold(deferred: Parameters<typeof foldLog>[0]['deferred']) {
    const { signal } = this.#stopping;
    return foldLog({ log: this.#log, definition: this.#definition, rules: this.#rules, deferred, signal });
  }

  #deferrals() {
    return mongoDeferrals(this.#deps.db, `${this.name}@${version}`);
  }
}

/** Names a bucket, and the deferrals that its checkpoint goes with. */
async function identityOf(
  bucket: Pick<RecordBucket<never>, 'identity'>,
  deferrals: string | undefined,
): Promise<Record<string, string>> {
  return { ...(await bucket.identity()), ...(deferrals === undefined ? {} : { 'the list of deferrals': deferrals }) };
}
