import type { DomainEvent, ReadModelVersion } from '@mneme/contracts';
import { headOf, streamState } from '@mneme/event-store';
import { watchLink } from '@mneme/service-kit';
import { LineLimit } from '@mneme/workers/line-limit';
import { sleep } from '@mneme/workers/waits';
import type { ReadModelStore } from '../definition.ts';
import { reasonOf } from '../errors.ts';
import type { Deferral } from '../lanes/lane.ts';
import { untilNext } from '../mongo/combined.ts';
import type { FailedQuery } from '../read-after-write.ts';
import { makeVersionParts, type VersionDeps, type VersionOptions, type VersionParts } from './version-parts.ts';

const defaultRenewEveryMs = 1_000;
/** A lane that is no more sequences behind the head when it is opened is read with the others. */
const fewSequences = 200;
/** The checkpoints of idle lanes are stored once per this many renewals. */
const renewalsPerIdleCheckpoint = 5;
/** Once per this many renewals, checks whether events that aggregates wait for were erased. */
const renewalsPerErasedEvents = 10;

/** One version of a read model at work in this instance: it applies the lanes that it holds, and knows how far all are. */
export class VersionRun<E extends DomainEvent, C> {
  readonly #deps: VersionDeps;
  readonly #options: VersionOptions<E, C>;
  readonly #form: string;
  readonly #stopping = new AbortController();
  readonly #parts: VersionParts<E>;
  #renewing: Promise<void> = Promise.resolve();
  #checking: Promise<void> = Promise.resolve();
  #link: { stop(): void } | undefined;
  /** It may come back without its data. */
  readonly #onStoreLost = () => void this.#parts.check.lookAgain();
  /** Why the leases could not be renewed. */
  #trouble: string | undefined;
  readonly #lines = new LineLimit();

  private constructor(deps: VersionDeps, options: VersionOptions<E, C>) {
    this.#deps = deps;
    this.#options = options;
    this.#form = options.form ?? options.definition.form;
    this.#parts = makeVersionParts(deps, options, this.#stopping.signal);
  }

  /** Starts to keep a version up to date. @throws what the stores and the log fail with */
  static async start<E extends DomainEvent, C>(
    deps: VersionDeps,
    options: VersionOptions<E, C>,
  ): Promise<VersionRun<E, C>> {
    const run = new VersionRun(deps, options);
    try {
      await run.#start();
      return run;
    } catch (error) {
      // What it holds and answers already would be in the way of the next try.
      await run.stop().catch(() => undefined);
      throw error;
    }
  }

  async #start(): Promise<void> {
    const { log, stream, check, positions, holder, router, dispatcher, indexes } = this.#parts;
    const state = await streamState(log);
    stream.createdAt = state.createdAt;
    stream.headAtStart = state.head;
    positions.head = state.head;
    if (await check.look()) return;
    void indexes.createIndexes();
    await holder.renew();
    const owned = positions.owned.map(({ checkpoint }) => checkpoint);
    const isReadByLane = this.#options.definition.lanes.subjectOf !== undefined;
    const first = Math.min(state.head, ...owned);
    router.start(isReadByLane && state.head - first > fewSequences ? state.head : first);
    this.#renewing = this.#keepRenewing();
    this.#checking = check.run();
    // Another server may have another log.
    this.#link = watchLink(this.#deps.connection, { onBack: () => check.lookAgain() });
    this.#deps.client.on('connectionPoolCleared', this.#onStoreLost);
    for (const lane of positions.owned) holder.beginReading(lane);
    dispatcher.dispatch();
  }

  /**
   * Begins to make an index again, if a query has failed because it lacks one.
   * @returns what is to be said of the index
   */
  restoreIndexes({ failure, beganAt }: FailedQuery): string {
    const { indexes } = this.#parts;
    indexes.note(failure);
    return indexes.stateFor(beganAt);
  }

  #warn(error: unknown, message: string): void {
    const about = { err: error, readModel: this.#parts.key };
    this.#lines.write((omitted) => this.#deps.logger.warn({ ...about, ...omitted }, message));
  }

  get version(): number {
    return this.#options.version;
  }

  get form(): string {
    return this.#form;
  }

  get store(): ReadModelStore<E, C> {
    return this.#options.store;
  }

  /** What about the version's log or stores is not as it was made, in one sentence; undefined when all is well. */
  get mismatch(): string | undefined {
    return this.#parts.check.mismatch;
  }

  /**
   * Waits until it is certain that the stores are those that the version was made with.
   * @returns false when that takes longer than `waitMs` milliseconds
   */
  isCertain(waitMs: number): Promise<boolean> {
    return this.#parts.check.isCertain(waitMs);
  }

  /** The position of the lane of an aggregate, or of the lane that is furthest behind, as far as this instance knows. */
  position(aggregate?: string): number {
    return this.#parts.positions.least(aggregate);
  }

  /** Whether this instance surely holds the lane of an aggregate, so that no other one applies its events. */
  isHere(aggregate: string): boolean {
    const { positions, leases } = this.#parts;
    return leases.isHeld() && positions.lanesOf(aggregate).every(({ isOwned }) => isOwned);
  }

  /** Why an aggregate cannot be answered for up to a sequence; undefined when it can, or only waits. */
  deferralOf(aggregate: string, sequence = Number.MAX_SAFE_INTEGER): Deferral | undefined {
    return this.#parts.holder.deferralOf(aggregate, sequence);
  }

  /**
   * Waits until a sequence is applied: in the lane of an aggregate, or in all lanes.
   * @returns false when that takes longer than `waitMs` milliseconds
   */
  await(sequence: number, waitMs: number, aggregate?: string): Promise<boolean> {
    return this.#parts.access.await(sequence, waitMs, aggregate);
  }

  /** Applies what an aggregate has waited with. @throws Error with the reason when it still cannot be applied */
  retry(aggregate: string, discarded?: number): Promise<void> {
    return this.#parts.access.retry(aggregate, discarded);
  }

  /** What the lane that is furthest ahead has reached. */
  reached(): number {
    return this.#parts.positions.furthest();
  }

  /** Whether everything that the log holds now is applied within `withinMs` milliseconds; deferred aggregates do not count. */
  async isUpToDate(withinMs: number): Promise<boolean> {
    const { positions, log } = this.#parts;
    positions.head = Math.max(positions.head, await headOf(log));
    return this.await(positions.head, withinMs);
  }

  status(): Omit<ReadModelVersion, 'state'> {
    const { definition, version } = this.#options;
    const { positions, holder } = this.#parts;
    const { owned, head } = positions;
    const lanes = owned.map((lane) => ({
      lane: lane.index,
      position: positions.of(lane),
      lagSeconds: lane.lagSeconds,
      queued: lane.queue.length,
      failuresInARow: lane.failure?.inARow ?? 0,
      reason: lane.reason ?? null,
      deferred: lane.deferrals.size,
    }));
    return {
      name: definition.name,
      version,
      form: this.#form,
      head,
      reason: this.mismatch ?? this.#reason() ?? null,
      position: positions.leastOwned(),
      lagSeconds: Math.max(0, ...lanes.map(({ lagSeconds }) => lagSeconds)),
      lanes,
      deferrals: [...owned.flatMap(({ deferrals }) => [...deferrals.values()]), ...holder.foreignDeferrals],
    };
  }

  /** Ends after the batches in work. */
  async stop(): Promise<void> {
    const { dispatcher, holder, router, leases, sessions } = this.#parts;
    this.#stopping.abort();
    this.#link?.stop();
    this.#deps.client.off('connectionPoolCleared', this.#onStoreLost);
    dispatcher.stop();
    holder.stop();
    await router.stop();
    await dispatcher.settled();
    await Promise.all([this.#renewing, this.#checking]);
    await this.#moveIdle().catch(() => undefined);
    await leases.stop().catch(() => undefined);
    await sessions.close().catch(() => undefined);
  }

  /** Why some lane cannot be written at the moment; undefined when all can. */
  #reason(): string | undefined {
    const { positions, check, holder, router } = this.#parts;
    const failing = positions.owned.find(({ reason }) => reason !== undefined);
    const { closedLanes } = holder;
    const closed = closedLanes.length > 0 ? `It cannot open its lanes ${closedLanes.join(', ')}` : undefined;
    return failing?.reason ?? this.#trouble ?? check.trouble ?? router.trouble ?? closed;
  }

  async #keepRenewing(): Promise<void> {
    const { holder, positions, pace, dispatcher, erasedEvents } = this.#parts;
    const { signal } = this.#stopping;
    const { renewEveryMs = defaultRenewEveryMs } = this.#options;
    for (let round = 1; !signal.aborted; round += 1) {
      await sleep(untilNext(renewEveryMs), signal);
      if (signal.aborted) return;
      try {
        if (this.mismatch === undefined) await holder.renew();
        pace.note(positions.leastOwned(), positions.head);
        if (round % renewalsPerIdleCheckpoint === 0) await this.#moveIdle();
        if (round % renewalsPerErasedEvents === 0) erasedEvents.release();
        this.#trouble = undefined;
      } catch (error) {
        this.#trouble = reasonOf(error);
        this.#warn(error, 'The leases of a read model could not be renewed');
      }
      dispatcher.dispatch();
    }
  }

  async #moveIdle(): Promise<void> {
    if (this.mismatch === undefined) await this.#parts.commits.moveIdle();
  }
}
