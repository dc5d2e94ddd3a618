import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '@mneme/contracts';
import { deadLetters, headOf, openLog } from '@mneme/event-store';
import type { ReadModelDefinition, Verification } from './definition.ts';
import { rebuilding } from './errors.ts';
import { assertApplied, createDeferrals, deferred } from './lanes/deferrals.ts';
import { type Build, Registry, type Standing } from './versions/registry.ts';
import type { VersionDeps } from './versions/version-parts.ts';
import { VersionRun } from './versions/version-run.ts';
import type { VersionState, VersionStatus } from './versions/version-status.ts';

export interface ReadModelDeps extends Omit<VersionDeps, 'instance'> {
  /** Unique for this instance of the service; made up unless given. */
  readonly instance?: string;
}

/** What was built anew. */
export interface Rebuilt {
  readonly version: number;
  readonly rows: number;
}

/** How often it is looked for what other instances have decided, in milliseconds. */
const followEveryMs = 1_000;
/** How long a start waits for a version that can answer, in milliseconds; with little in the log that is soon. */
const startWaitMs = 10_000;
/** A version that was replaced is kept up to date for so long, to go back to, in milliseconds. */
const keepPreviousMs = 15 * 60_000;
/** A rebuild that caught up within this time is as good as up to date, in milliseconds. */
const closeEnoughMs = 2_000;
/** How often a rebuild is tried to begin while others change the versions. */
const triesToBegin = 5;
/** So long after a question it is reckoned with the next one, in milliseconds. */
const inUseMs = 1_000;
/** How long a rebuild is waited for by whoever has asked for it, in milliseconds. */
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
  readonly #registry: Registry;
  readonly #batchesAtOnce: number;
  readonly #stopping = new AbortController();
  readonly #runs = new Map<number, VersionRun<E, C>>();
  readonly #opening = new Map<number, Promise<void>>();
  #standing: Standing = { live: null, target: null, previous: null };
  #live: VersionRun<E, C> | undefined;
  /** Why nothing answers, or what is done about it. */
  #reason = 'The read model is being opened';
  #following: Promise<void> = Promise.resolve();
  #newest = 0;
  /** When somebody last asked for something, by the clock of `performance`. */
  #usedAt = Number.NEGATIVE_INFINITY;

  private constructor(deps: ReadModelDeps, definition: ReadModelDefinition<E, C>, batchesAtOnce: number) {
    this.#deps = { ...deps, instance: deps.instance ?? randomUUID() };
    this.#definition = definition;
    this.#registry = new Registry(deps.db, definition.name);
    this.#batchesAtOnce = batchesAtOnce;
  }

  /**
   * Opens a read model, or makes it. Waits a moment until it can answer; when that takes longer, it goes on by itself.
   * @param options.batchesAtOnce how many batches are applied at once; 4 unless given
   * @throws what the stores fail with
   */
  static async start<E extends DomainEvent, C>(
    deps: ReadModelDeps,
    definition: ReadModelDefinition<E, C>,
    { batchesAtOnce = 4 }: { readonly batchesAtOnce?: number } = {},
  ): Promise<ReadModel<E, C>> {
    const readModel = new ReadModel(deps, definition, batchesAtOnce);
    await createDeferrals(deps.db);
    await readModel.#registry.begin();
    const deadline = Date.now() + startWaitMs;
    for (;;) {
      await readModel.#follow();
      if (readModel.#live || Date.now() > deadline) break;
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
   * @throws WireError 503 `REBUILDING` when none can
   */
  contents(): C {
    this.#usedAt = performance.now();
    return this.#answering().store.contents;
  }

  /** The number of the version that answers; undefined when none can. */
  get version(): number | undefined {
    return this.#live?.mismatch === undefined ? this.#live?.version : undefined;
  }

  /** The sequence that every answer has seen: of an aggregate's lane, or of all lanes. */
  position(aggregate?: string): number {
    return this.#live?.position(aggregate) ?? 0;
  }

  /**
   * Waits until a sequence is applied: in the lane of an aggregate, or in all lanes.
   * @returns false when that takes longer than `waitMs` milliseconds
   * @param options.isBehindAllowed whether events of the aggregate that could not be applied do not matter
   * @throws WireError 503 `REBUILDING` when no version can answer, `READ_MODEL_BEHIND` when the aggregate waits for an
   * event that could not be applied
   */
  async await(
    sequence: number,
    waitMs: number,
    aggregate?: string,
    { isBehindAllowed = false }: { readonly isBehindAllowed?: boolean } = {},
  ): Promise<boolean> {
    const deadline = Date.now() + waitMs;
    this.#usedAt = performance.now();
    for (;;) {
      const live = this.#answering();
      if (aggregate !== undefined && !isBehindAllowed) this.assertCurrent(aggregate, sequence);
      if (!(await live.await(sequence, Math.max(0, deadline - Date.now()), aggregate))) return false;
      // A version that took its place meanwhile may not be as far.
      if (live === this.#live) return true;
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
    if (this.#live) await assertApplied(this.#live, { log: openLog(this.#deps.connection, stream), lanes }, sequence);
    return true;
  }

  /**
   * Makes sure that an aggregate can be answered for.
   * @throws WireError 503 `READ_MODEL_BEHIND` when one of its events, up to a sequence, could not be applied
   */
  assertCurrent(aggregate: string, sequence?: number): void {
    const deferral = this.#live?.deferralOf(aggregate, sequence);
    if (deferral) throw deferred(deferral);
  }

  /** Waits like `await`, in every version that is kept up to date or built. */
  async awaitAllVersions(sequence: number, waitMs: number, aggregate: string): Promise<boolean> {
    const waits = [...this.#runs.values()].map((run) => run.await(sequence, waitMs, aggregate));
    return (await Promise.all(waits)).every(Boolean) && this.await(sequence, waitMs, aggregate);
  }

  /** What is in every version that is kept up to date or built. */
  allContents(): readonly C[] {
    return [...this.#runs.values()].map(({ store }) => store.contents);
  }

  /** Whether this instance applies the events of an aggregate. */
  isHere(aggregate: string): boolean {
    return this.#live?.isHere(aggregate) ?? false;
  }

  /** Calls back whenever lanes have come further, until it is cancelled; of a version only while it answers. */
  onChange(changed: () => void): { cancel(): void } {
    this.#listeners.add(changed);
    return { cancel: () => void this.#listeners.delete(changed) };
  }

  readonly #listeners = new Set<() => void>();

  /** Builds a new version from the log beside the one that answers, and lets it answer; resolves when it does. */
  async rebuild(): Promise<Rebuilt> {
    for (let tries = 1; this.#standing.target === null && tries <= triesToBegin; tries += 1) {
      // Somebody else may have changed the versions since this instance looked, or the database may be a new one.
      if (tries > 1) await this.#follow();
      if (this.#standing.target === null) await this.#begin(this.#standing, 'A rebuild was asked for');
    }
    const { target } = this.#standing;
    const deadline = Date.now() + longestRebuildMs;
    while (target !== null && this.#standing.live !== target) {
      if (this.#stopping.signal.aborted)
        throw new Error('The service is stopped; the rebuild goes on when it starts again');
      if (Date.now() > deadline || (this.#standing.target !== target && this.#standing.live !== target)) break;
      await pause(followEveryMs / 10);
    }
    if (target === null || this.#standing.live !== target)
      throw new Error('The rebuild was given up; see the log of the service');
    return { version: target, rows: await this.#answering().store.count() };
  }

  /** Lets the version answer that answered before. @throws Error when there is none any more */
  async rollBack(): Promise<number> {
    const { live, previous, target } = this.#standing;
    if (!previous || live === null)
      throw new Error(`${this.#definition.name} has no earlier version that is kept up to date`);
    const kept = { version: live, until: new Date(Date.now() + keepPreviousMs) };
    const isDone = await this.#registry.change(this.#standing, { live: previous.version, target, previous: kept });
    if (!isDone) throw new Error('The versions were changed by somebody else at the same time; look again');
    await this.#follow();
    return previous.version;
  }

  /** Compares the stores of the version that answers with each other, and repairs what can be repaired. */
  async verify(): Promise<Verification> {
    const { store } = this.#answering();
    return (await store.verify?.()) ?? { checked: await store.count(), repaired: {} };
  }

  /** Applies what an aggregate has waited with. @param discarded an event to leave out for good */
  async retry(version: number, aggregate: string, discarded?: number): Promise<void> {
    const run = this.#runs.get(version);
    if (!run) throw new Error(`${this.#definition.name}@${version} is not there any more`);
    await run.retry(aggregate, discarded);
  }

  /** All versions at work in this instance, the one that answers first. */
  status(): readonly VersionStatus[] {
    const runs = [...this.#runs.values()].sort(
      (left, right) => Number(right === this.#live) - Number(left === this.#live),
    );
    return runs.map((run) => ({ ...run.status(), state: this.#stateOf(run) }));
  }

  /** What a readiness check has to say: true, or why not every question can be answered. */
  readiness(): true | string {
    const live = this.#live;
    if (!live || live.mismatch !== undefined) return this.#reason;
    const { reason } = live.status();
    return reason === null ? true : `The read model ${this.#definition.name} cannot be written: ${reason}`;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
    await Promise.allSettled([...this.#opening.values()]);
    await Promise.all([...this.#runs.values()].map((run) => run.stop()));
  }

  #isInUse(): boolean {
    return performance.now() - this.#usedAt < inUseMs;
  }

  #answering(): VersionRun<E, C> {
    if (this.#live && this.#live.mismatch === undefined) return this.#live;
    throw rebuilding(`${this.#reason}; try again`);
  }

  #stateOf(run: VersionRun<E, C>): VersionState {
    if (run.mismatch !== undefined) return 'lost';
    const { reason, position, head } = run.status();
    if (reason !== null) return 'failed';
    if (run !== this.#live && run.version === this.#standing.target) return 'rebuilding';
    return position < head ? 'catching-up' : 'live';
  }

  async #keepFollowing(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await pause(followEveryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#follow().catch((error: unknown) => {
        this.#deps.logger.warn(
          { err: error, readModel: this.#definition.name },
          'The versions of a read model cannot be looked at',
        );
      });
    }
  }

  /** Brings what this instance does in line with what is written down, and writes down what has to be done next. */
  async #follow(): Promise<void> {
    const standing = await this.#registry.standing();
    if (!standing) return this.#startOver();
    this.#standing = standing;
    await this.#openWanted(standing);
    await this.#adoptLive(standing);
    await this.#buildIfNeeded(standing);
    await this.#promoteIfReady(standing);
    await this.#retirePrevious(standing);
    await this.#closeUnwanted(standing);
  }

  /** The database was lost, and with it everything that was written down. */
  async #startOver(): Promise<void> {
    this.#lose('The database of the read model was lost; it is being built anew');
    for (const run of this.#runs.values()) await run.stop();
    this.#runs.clear();
    await this.#registry.begin();
  }

  #lose(reason: string): void {
    this.#reason = reason;
    this.#deps.logger.error({ readModel: this.#definition.name, reason }, 'A read model cannot answer');
  }

  async #openWanted({ live, target, previous }: Standing): Promise<void> {
    for (const version of [live, target, previous?.version ?? null]) {
      if (version !== null && !this.#runs.has(version)) await this.#openOnce(version);
    }
  }

  /** A rebuild that is asked for and the regular look at the versions may come to the same version at a time. */
  #openOnce(version: number): Promise<void> {
    const opening =
      this.#opening.get(version) ?? this.#makeAndOpen(version).finally(() => this.#opening.delete(version));
    this.#opening.set(version, opening);
    return opening;
  }

  async #makeAndOpen(version: number): Promise<void> {
    const build = await this.#registry.build(version);
    if (!build || build.form !== this.#definition.form) return;
    const made = build.identity ? build : await this.#make(build);
    if (made) await this.#open(made);
  }

  /** Finishes to make a version, unless another instance is at it. */
  async #make(build: Build): Promise<Build | undefined> {
    const isMine = this.#begun.has(build.version) || (await this.#registry.takeOver(build.version));
    if (!isMine) return undefined;
    const store = this.#definition.store(build.version);
    const signs = setInterval(() => this.#registry.keepMaking(build.version).catch(() => undefined), followEveryMs);
    const identity = await store
      .create()
      .then(() => store.identity())
      .finally(() => clearInterval(signs));
    await this.#registry.complete(build.version, identity);
    this.#begun.delete(build.version);
    return { ...build, identity };
  }

  /** Versions that this instance has begun to make. */
  readonly #begun = new Set<number>();

  async #open({ version, identity }: Build): Promise<void> {
    const { definition, batchesAtOnce } = { definition: this.#definition, batchesAtOnce: this.#batchesAtOnce };
    const store = definition.store(version);
    const run = await VersionRun.start(this.#deps, {
      definition,
      version,
      store,
      identity: identity ?? {},
      batchesAtOnce,
      isInUse: () => this.#isInUse(),
      isToGiveWay: () => this.#isInUse() && this.version !== undefined && this.version !== version,
    });
    this.#runs.set(version, run);
    this.#newest = Math.max(this.#newest, version);
    run.onChange(() => {
      if (run === this.#live) for (const changed of this.#listeners) changed();
    });
  }

  /** Lets the live version answer as soon as it has all that the one before has: somebody may have waited for that, and reads on. */
  async #adoptLive({ live }: Standing): Promise<void> {
    const next = live === null ? undefined : this.#runs.get(live);
    if (live !== null && !next && this.#live === undefined) await this.#explainMissing(live);
    if (!next || next === this.#live) return;
    const before = this.#live;
    if (before && before.mismatch === undefined) {
      const reached = before.reached();
      if (!(await next.await(reached, followEveryMs))) return;
    }
    this.#live = next;
    const { name } = this.#definition;
    this.#deps.logger.info(
      { readModel: name, from: before?.version, to: next.version },
      'A version of the read model answers',
    );
  }

  async #explainMissing(live: number): Promise<void> {
    const build = await this.#registry.build(live);
    if (build && build.form === this.#definition.form) return;
    this.#reason = `The read model ${this.#definition.name} is being built in the form of this release`;
  }

  async #buildIfNeeded(standing: Standing): Promise<void> {
    const { live, target } = standing;
    const broken = this.#live?.mismatch;
    if (broken !== undefined) this.#reason = `${broken}; the read model ${this.#definition.name} is being built anew`;
    const targetRun = target === null ? undefined : this.#runs.get(target);
    if (targetRun?.mismatch !== undefined) return this.#begin(standing, targetRun.mismatch);
    if (target !== null && (await this.#isOfThisForm(target))) return;
    if (this.#live && live !== null && !(await this.#isOfThisForm(live))) {
      // The newer release is not to be replaced by this one again; its own version goes on as long as it is kept.
      this.#reason = `The read model ${this.#definition.name} was replaced by that of another release`;
      return;
    }
    if (broken !== undefined) return this.#begin(standing, broken);
    if (live === null) return this.#begin(standing, 'There is none yet');
    if (this.#live || (await this.#isOfThisForm(live))) return;
    await this.#begin(standing, 'This release has another form of it');
  }

  async #isOfThisForm(version: number): Promise<boolean> {
    return (await this.#registry.build(version))?.form === this.#definition.form;
  }

  /** Writes down a new version that is to take the place of the live one. */
  async #begin(standing: Standing, reason: string): Promise<void> {
    const { version } = await this.#registry.add(this.#definition.form, this.#newest);
    if (!(await this.#registry.change(standing, { ...standing, target: version })))
      return this.#registry.forget(version);
    this.#newest = version;
    this.#begun.add(version);
    this.#standing = { ...standing, target: version };
    const { name, stream } = this.#definition;
    const head = await headOf(openLog(this.#deps.connection, stream));
    this.#deps.logger.info({ readModel: name, version, reason, events: head }, 'Building a version of a read model');
    await this.#openWanted(this.#standing);
  }

  async #promoteIfReady(standing: Standing): Promise<void> {
    const target = standing.target === null ? undefined : this.#runs.get(standing.target);
    if (!target || target.mismatch !== undefined) return;
    if (!(await target.isUpToDate(closeEnoughMs))) return;
    const isWhole =
      this.#live !== undefined && this.#live.mismatch === undefined && this.#live.version === standing.live;
    const until = new Date(Date.now() + keepPreviousMs);
    const previous = isWhole && standing.live !== null ? { version: standing.live, until } : null;
    const replaced = [standing.live, standing.previous?.version ?? null].filter((version) => version !== null);
    if (!(await this.#registry.change(standing, { live: target.version, target: null, previous }))) return;
    this.#standing = { live: target.version, target: null, previous };
    await this.#adoptLive(this.#standing);
    for (const version of replaced) if (version !== previous?.version) await this.#remove(version);
  }

  async #retirePrevious(standing: Standing): Promise<void> {
    const { previous } = this.#standing;
    if (!previous || this.#standing !== standing) return;
    const isBroken = this.#runs.get(previous.version)?.mismatch !== undefined;
    if (!isBroken && previous.until.getTime() > Date.now()) return;
    if (!(await this.#registry.change(standing, { ...standing, previous: null }))) return;
    this.#standing = { ...standing, previous: null };
    await this.#remove(previous.version);
  }

  /** Removes what no version that is wanted has to do with: replaced versions, and those that were begun in vain. */
  async #closeUnwanted(standing: Standing): Promise<void> {
    const { live, target, previous } = this.#standing;
    if (this.#standing !== standing) return;
    const wanted = [live, target, previous?.version];
    for (const [version, run] of this.#runs) {
      if (wanted.includes(version) || run === this.#live) continue;
      this.#runs.delete(version);
      await run.stop();
    }
    const isOld = (build: Build) =>
      !wanted.includes(build.version) && build.startedAt.getTime() < Date.now() - closeEnoughMs * 15;
    for (const build of (await this.#registry.builds()).filter(isOld)) {
      if (build.version !== this.#live?.version) await this.#remove(build.version);
    }
  }

  async #remove(version: number): Promise<void> {
    const run = this.#runs.get(version);
    this.#runs.delete(version);
    if (run) await run.remove();
    else await this.#definition.store(version).drop();
    const { name, stream } = this.#definition;
    // What it has dead-lettered can be retried by nobody any more; the versions that stay have their own.
    await deadLetters(this.#deps.connection).discardAllOf(stream, `${name}@${version}`);
    await this.#registry.forget(version);
    this.#deps.logger.info({ readModel: this.#definition.name, version }, 'Removed a version of a read model');
  }
}
