import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent, ReadModelVersion } from '@mneme/contracts';
import { openLog } from '@mneme/event-store';
import { sleep } from '@mneme/workers/waits';
import type { ReadModelDefinition, Verification } from './definition.ts';
import { indexMissing, isIndexMissing, rebuildWaiting, saidByStore, uncertain } from './errors.ts';
import { assertApplied, createDeferrals, deferred } from './lanes/deferrals.ts';
import { untilNext } from './mongo/combined.ts';
import type { FailedQuery } from './read-after-write.ts';
import type { Unopened } from './versions/version-opener.ts';
import type { VersionDeps } from './versions/version-parts.ts';
import type { VersionRun } from './versions/version-run.ts';
import { Versions } from './versions/versions.ts';

export type ReadModelDeps = Omit<VersionDeps, 'instance'>;

/** The outcome of a rebuild. */
export interface Rebuilt {
  readonly version: number;
  readonly rows: number;
}

/** How often the versions that the instances have agreed on are looked up, in milliseconds. */
const followEveryMs = 1_000;
/** How long a start waits for a version that can answer, in milliseconds; with little in the log that is soon. */
const defaultStartWaitMs = 10_000;
/** How long an answer waits until it is certain that a store has kept its data, in milliseconds. */
const certaintyWaitMs = 5_000;
/** How often a rebuild is tried to begin while others change the versions. */
const triesToBegin = 5;
/** How long a verification waits for the events that are in the log already, in milliseconds. */
const longestCatchUpMs = 30 * 60_000;
/** How long a rebuild is waited for by the caller that has asked for it, in milliseconds. */
const longestRebuildMs = 24 * 60 * 60_000;

/**
 * A read model with its versions: keeps the live one up to date, builds a new one beside it when that is asked for or
 * needed, and lets queries work with the one that can answer.
 *
 * A new version is needed when the code has another form, and when the log or a store turns out to be another one than
 * the version was filled from or into. Until it has caught up nothing answers then.
 */
export class ReadModel<E extends DomainEvent, C> {
  readonly #deps: VersionDeps;
  readonly #definition: ReadModelDefinition<E, C>;
  readonly #versions: Versions<E, C>;
  readonly #stopping = new AbortController();
  #following: Promise<void> = Promise.resolve();
  /** When the read model was last asked for something, by the clock of `performance`. */
  #usedAt = Number.NEGATIVE_INFINITY;

  private constructor(deps: ReadModelDeps, definition: ReadModelDefinition<E, C>) {
    this.#deps = { ...deps, instance: randomUUID() };
    this.#definition = definition;
    const unusedMs = () => performance.now() - this.#usedAt;
    this.#versions = new Versions({ deps: this.#deps, definition, unusedMs });
  }

  /**
   * Opens a read model, or makes it. Waits a moment until it can answer; when that takes longer, it goes on by itself.
   * @throws what the stores fail with; what keeps a new version from being made only where there is no other one
   */
  static async start<E extends DomainEvent, C>(
    deps: ReadModelDeps,
    definition: ReadModelDefinition<E, C>,
    startWaitMs = defaultStartWaitMs,
  ): Promise<ReadModel<E, C>> {
    const readModel = new ReadModel(deps, definition);
    await createDeferrals(deps.db);
    await readModel.#versions.begin();
    const deadline = performance.now() + startWaitMs;
    for (;;) {
      await readModel.#versions.follow();
      if (readModel.#versions.live) break;
      if (readModel.#versions.unopened) throw readModel.#versions.unopened.error;
      if (performance.now() > deadline) break;
      await pause(followEveryMs / 20);
    }
    readModel.#following = readModel.#keepFollowing();
    return readModel;
  }

  get name(): string {
    return this.#definition.name;
  }

  /**
   * What queries work with: the version that answers.
   * @param options.isBackground whether no caller waits for the query, so that nothing has to give way to it
   * @throws WireError 503 `REBUILDING` when none can
   */
  contents({ isBackground = false }: { readonly isBackground?: boolean } = {}): C {
    if (!isBackground) this.#usedAt = performance.now();
    return this.#versions.answering().store.contents;
  }

  /**
   * To be awaited after a query, before it is answered: a database that has lost its data is as good as an empty one to a
   * client that connects again.
   * @param failed the query, if it has failed; an index that it lacks is made again
   * @throws WireError 503 `REBUILDING` when no version can answer any more, `UNAVAILABLE` when that is not known within 5 s, or
   * an index is missing
   */
  async assertIntact(failed?: FailedQuery): Promise<void> {
    const { live } = this.#versions;
    if (live && !(await live.isCertain(certaintyWaitMs))) throw uncertain(this.name);
    const answering = this.#versions.answering();
    if (!failed || !isIndexMissing(failed.failure)) return;
    throw indexMissing(this.name, answering.restoreIndexes(failed), failed.failure);
  }

  /** The number of the version that answers; undefined when none can. */
  get version(): number | undefined {
    return this.#versions.version;
  }

  /** Whether some version answers. */
  get isAnswering(): boolean {
    return this.version !== undefined;
  }

  /** The form of the version that answers; undefined when none can. */
  get form(): string | undefined {
    return this.#versions.version === undefined ? undefined : this.#versions.live?.form;
  }

  /** The sequence that every answer has seen: of an aggregate's lane, or of all lanes. */
  position(aggregate?: string): number {
    return this.#versions.live?.position(aggregate) ?? 0;
  }

  /**
   * Waits until a sequence is applied: in the lane of an aggregate, or in all lanes.
   * @returns false when that takes longer than `waitMs` milliseconds
   * @param options.isBehindAllowed whether events of the aggregate that could not be applied do not matter
   * @param options.isBackground as of `contents`
   * @throws WireError 503 `REBUILDING` when no version can answer, `READ_MODEL_BEHIND` when the aggregate waits for an
   * event that could not be applied
   */
  async await(
    sequence: number,
    waitMs: number,
    aggregate?: string,
    options: { readonly isBehindAllowed?: boolean; readonly isBackground?: boolean } = {},
  ): Promise<boolean> {
    const { isBehindAllowed = false, isBackground = false } = options;
    const deadline = performance.now() + waitMs;
    if (!isBackground) this.#usedAt = performance.now();
    const assertNotDeferred = () => {
      if (aggregate !== undefined && !isBehindAllowed) this.assertCurrent(aggregate, sequence);
    };
    for (;;) {
      const live = this.#versions.answering();
      assertNotDeferred();
      if (!(await live.await(sequence, Math.max(0, deadline - performance.now()), aggregate))) return false;
      // A version that took its place meanwhile may not be as far.
      if (live !== this.#versions.live) continue;
      // A lane also moves past an event that could not be applied.
      assertNotDeferred();
      return true;
    }
  }

  /**
   * Waits until an event and everything before it are applied.
   * @returns false when that takes longer than `waitMs` milliseconds
   * @throws WireError like `await`; `READ_MODEL_BEHIND` when the event itself could not be applied
   */
  async awaitEvent(sequence: number, waitMs: number): Promise<boolean> {
    if (!(await this.await(sequence, waitMs))) return false;
    const { lanes, stream } = this.#definition;
    if (this.#versions.live)
      await assertApplied(this.#versions.live, { log: openLog(this.#deps.connection, stream), lanes }, sequence);
    return true;
  }

  /**
   * Makes sure that an aggregate can be answered for.
   * @throws WireError 503 `READ_MODEL_BEHIND` when one of its events, up to a sequence, could not be applied
   */
  assertCurrent(aggregate: string, sequence?: number): void {
    const deferral = this.#versions.live?.deferralOf(aggregate, sequence);
    if (deferral) throw deferred(deferral);
  }

  /** Waits like `await`, in every version that is kept up to date or built. @returns false also when one cannot be opened */
  async awaitAllVersions(sequence: number, waitMs: number, aggregate: string): Promise<boolean> {
    const deadline = performance.now() + waitMs;
    while (this.#versions.isPreviousUnopened) {
      if (performance.now() > deadline) return false;
      await pause(followEveryMs / 10);
    }
    const waits = [...this.#versions.runs.values()].map((run) => run.await(sequence, waitMs, aggregate));
    return (await Promise.all(waits)).every(Boolean) && this.await(sequence, waitMs, aggregate);
  }

  /** What is in every version that is kept up to date or built. */
  allContents(): readonly C[] {
    return [...this.#versions.runs.values()].map(({ store }) => store.contents);
  }

  /** Whether this instance applies the events of an aggregate. */
  isHere(aggregate: string): boolean {
    return this.#versions.live?.isHere(aggregate) ?? false;
  }

  /**
   * Builds a new version from the log beside the one that answers, and lets it answer; resolves when it does. A version that
   * is being built is waited for instead, or what takes its place because another form or embedding model is wanted by now.
   * @throws WireError 409 when it cannot be made at the moment; it goes on by itself as soon as it can
   */
  async rebuild(): Promise<Rebuilt> {
    const askedAt = performance.now();
    for (let tries = 1; tries <= triesToBegin && performance.now() - askedAt < longestRebuildMs; tries += 1) {
      const target = await this.#beginRebuild();
      if (target !== null && (await this.#untilAnswering(target, askedAt)))
        return { version: target, rows: await this.#versions.answering().store.count() };
    }
    throw new Error(
      `The rebuild was given up: other instances changed the versions of ${this.name} each of the ${triesToBegin} times ` +
        'that it began. Run it again',
    );
  }

  /** @returns the version that is being built now; null when others changed the versions again and again */
  async #beginRebuild(): Promise<number | null> {
    const versions = this.#versions;
    for (let tries = 1; tries <= triesToBegin; tries += 1) {
      // Another instance may have changed the versions since this one looked, or the database may be a new one.
      if (tries > 1) await versions.follow();
      const target = (await versions.usableTarget()) ?? (await versions.build('A rebuild was asked for'));
      if (target !== null) return target;
    }
    return null;
  }

  /** Waits until a version answers. @returns false when another one takes its place, or it is not needed any more */
  async #untilAnswering(target: number, askedAt: number): Promise<boolean> {
    const versions = this.#versions;
    const deadline = askedAt + longestRebuildMs;
    // Not before it answers, so that the next query sees it.
    while (versions.version !== target) {
      if (this.#stopping.signal.aborted)
        throw new Error('The service is stopped; the rebuild goes on when it starts again');
      const { unopened } = versions;
      // An earlier failure may be out of date: there may be room now.
      if (unopened?.version === target && unopened.failedAt > askedAt)
        throw rebuildWaiting(`${this.name}@${target}`, unopened.error);
      if (performance.now() > deadline || (versions.roles.target !== target && versions.roles.live !== target))
        return false;
      await pause(followEveryMs / 10);
    }
    return true;
  }

  /** Lets the version answer that answered before. @throws Error when there is none any more */
  rollBack(): Promise<number> {
    return this.#versions.rollBack();
  }

  /** Compares the stores of the version that answers with each other, and repairs what can be repaired. */
  async verify(): Promise<Verification> {
    const version = this.#versions.answering();
    const { store } = version;
    const untilApplied = async () => {
      if (!(await version.isUpToDate(longestCatchUpMs)))
        throw new Error(
          'The read model did not apply what the log holds within 30 minutes; verify again when it has caught up',
        );
    };
    return (await store.verify?.(untilApplied)) ?? { checked: await store.count(), repaired: {} };
  }

  /** Applies what an aggregate has waited with. @param discarded an event to leave out for good */
  async retry(version: number, aggregate: string, discarded?: number): Promise<void> {
    const run = this.#versions.runs.get(version);
    // In a version that is gone nothing waits.
    if (!run && discarded !== undefined && !(await this.#versions.isKnown(version))) return;
    if (!run) throw new Error(`${this.#definition.name}@${version} is not there any more`);
    await run.retry(aggregate, discarded);
  }

  /** All versions at work in this instance, the one that answers first; at last one that cannot be made at the moment. */
  status(): readonly ReadModelVersion[] {
    const runs = [...this.#versions.runs.values()].sort(
      (left, right) => Number(right === this.#versions.live) - Number(left === this.#versions.live),
    );
    const described = runs.map((run) => ({ ...run.status(), state: this.#stateOf(run) }));
    const { unopened } = this.#versions;
    return unopened ? [...described, this.#describe(unopened, described[0]?.head ?? 0)] : described;
  }

  #describe({ version, error }: Unopened, head: number): ReadModelVersion {
    const { name, form } = this.#definition;
    const reason = `It cannot be made at the moment, and is tried again. ${saidByStore(error)}`;
    return { name, version, form, state: 'failed', reason, head, position: 0, lagSeconds: 0, lanes: [], deferrals: [] };
  }

  /** What a readiness check has to say: true, or why not every question can be answered. */
  readiness(): true | string {
    const live = this.#versions.live;
    if (!live || live.mismatch !== undefined) return this.#versions.reason;
    const { reason } = live.status();
    return reason === null ? true : `The read model ${this.#definition.name} cannot be written: ${reason}`;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
    await this.#versions.stop();
  }

  #stateOf(run: VersionRun<E, C>): ReadModelVersion['state'] {
    if (run.mismatch !== undefined) return 'lost';
    const { reason, position, head } = run.status();
    if (reason !== null) return 'failed';
    if (run !== this.#versions.live && run.version === this.#versions.roles.target) return 'rebuilding';
    return position < head ? 'catching-up' : 'live';
  }

  async #keepFollowing(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(untilNext(followEveryMs), signal);
      if (signal.aborted) return;
      await this.#versions.follow().catch((error: unknown) => {
        this.#deps.logger.warn(
          { err: error, readModel: this.#definition.name },
          'The versions of a read model cannot be looked at',
        );
      });
    }
  }
}
