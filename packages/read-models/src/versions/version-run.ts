import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '@mneme/contracts';
import { headOf, type Log, openLog, streamState, writeDeadLetter } from '@mneme/event-store';
import type { NatsConnection, Subscription } from '@nats-io/nats-core';
import type { Db, MongoClient } from 'mongodb';
import { Applier } from '../applying/applier.ts';
import { Maintainer } from '../applying/maintainer.ts';
import { Pace } from '../applying/pace.ts';
import { retryDeferred } from '../applying/retry.ts';
import { Scheduler, type TakenBatch } from '../applying/scheduler.ts';
import { type Work, WorkInProgress } from '../applying/work-in-progress.ts';
import type { Commit, ReadModelDefinition, ReadModelLogger, ReadModelStore } from '../definition.ts';
import { reasonOf } from '../errors.ts';
import { type LaneCheckpoints, mongoLaneCheckpoints, stayOf } from '../lanes/checkpoints.ts';
import { type Deferrals, mongoDeferrals } from '../lanes/deferrals.ts';
import { type Deferral, Lane, type QueuedMessage } from '../lanes/lane.ts';
import { LaneReader } from '../lanes/lane-reader.ts';
import { answerLane, askLane, type LaneAnswer, type LaneRequest, laneSubject } from '../lanes/lane-requests.ts';
import { type HeldLane, type LaneLeases, mongoLaneLeases } from '../lanes/leases.ts';
import { Router } from '../lanes/router.ts';
import { SessionPool } from '../mongo/sessions.ts';
import { IdentityCheck, onReconnect } from './identity-check.ts';
import type { VersionStatus } from './version-status.ts';

export interface VersionDeps {
  readonly connection: NatsConnection;
  readonly client: MongoClient;
  readonly db: Db;
  /** Unique for this instance of the service. */
  readonly instance: string;
  readonly logger: ReadModelLogger;
}

export interface VersionOptions<E extends DomainEvent, C> {
  readonly definition: ReadModelDefinition<E, C>;
  readonly version: number;
  readonly store: ReadModelStore<E, C>;
  /** In the database unless given. */
  readonly checkpoints?: LaneCheckpoints;
  /** What the store's parts were when the version was made. */
  readonly identity: Readonly<Record<string, string>>;
  /** How many batches are applied at once. */
  readonly batchesAtOnce: number;
  /** Whether another version answers questions right now, which are to go first. */
  readonly isToGiveWay?: () => boolean;
  /** Whether questions come right now, to whichever version. */
  readonly isInUse?: () => boolean;
}

/** After so long without a renewal another instance takes lanes over, in milliseconds. */
const leaseMs = 3_000;
const renewEveryMs = 1_000;
/** Every so many renewals the checkpoints of idle lanes are written down. */
const renewalsPerIdleCheckpoint = 5;
/** How long another instance, perhaps of a newer release, has to take a lane that this one cannot go on with. */
const giveAwayMs = 2_000;
/** How long a read of a lane that has failed is waited with, in milliseconds. */
const readRetryMs = 500;

/** One version of a read model at work in this instance: it applies the lanes that it holds, and knows how far all are. */
export class VersionRun<E extends DomainEvent, C> {
  readonly #deps: VersionDeps;
  readonly #options: VersionOptions<E, C>;
  readonly #key: string;
  readonly #log: Log;
  readonly #lanes: readonly Lane[];
  readonly #checkpoints: LaneCheckpoints;
  readonly #deferrals: Deferrals;
  readonly #leases: LaneLeases;
  readonly #sessions: SessionPool;
  readonly #pace: Pace;
  readonly #scheduler: Scheduler;
  readonly #applier: Applier<E>;
  readonly #router: Router<E>;
  readonly #reader: LaneReader;
  readonly #answering = new Map<number, Subscription>();
  readonly #working = new WorkInProgress();
  readonly #check: IdentityCheck;
  readonly #maintainer: Maintainer;
  readonly #stopping = new AbortController();
  readonly #changed = new Set<() => void>();
  #createdAt = '';
  #head = 0;
  #renewing: Promise<void> = Promise.resolve();
  #checking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #link: { stop(): void } | undefined;
  #isMaintenanceNext = false;
  /** Why the leases could not be renewed. */
  #trouble: string | undefined;
  #foreignDeferrals = new Map<string, Deferral>();

  private constructor(deps: VersionDeps, options: VersionOptions<E, C>) {
    const { definition, store, version } = options;
    const { connection, client, db, instance, logger } = deps;
    this.#deps = deps;
    this.#options = options;
    this.#key = `${definition.name}@${version}`;
    this.#log = openLog(connection, definition.stream);
    const { count } = definition.lanes;
    this.#lanes = Array.from({ length: count }, (_, index) => new Lane(index));
    this.#checkpoints = options.checkpoints ?? mongoLaneCheckpoints(db, this.#key, count);
    this.#deferrals = mongoDeferrals(db, this.#key);
    this.#leases = mongoLaneLeases({ db, key: this.#key, lanes: count, instance, ttlMs: leaseMs });
    this.#sessions = new SessionPool({ client, db, key: this.#key, instance });
    this.#pace = new Pace({
      ...{ limits: definition.batches, batchesAtOnce: options.batchesAtOnce },
      ...{
        isToGiveWay: options.isToGiveWay ?? never,
        isInUse: options.isInUse ?? never,
        signal: this.#stopping.signal,
      },
    });
    this.#scheduler = new Scheduler(this.#lanes, this.#pace, definition.batches?.delay);
    this.#check = new IdentityCheck({
      ...{ key: this.#key, log: this.#log, store, checkpoints: this.#checkpoints, identity: options.identity, logger },
      onState: ({ head }) => {
        this.#head = head;
      },
      onChecked: () => this.#dispatch(),
      signal: this.#stopping.signal,
    });
    this.#maintainer = new Maintainer({
      ...{ key: this.#key, lanes: this.#lanes, maintenance: store.maintenance, pace: this.#pace, logger },
      commitOf: (lane) => this.#commitWithoutMove(lane),
      signal: this.#stopping.signal,
    });
    this.#applier = new Applier({
      definition,
      store,
      checkpoints: this.#checkpoints,
      deferrals: this.#deferrals,
      transact: (work) => this.#sessions.transact(work),
      isHeld: () => this.#leases.isHeld(),
      createdAt: () => this.#createdAt,
      deadLetter: (message, deferral) => this.#deadLetter(message, deferral),
      onLost: (lane) => this.#giveUp(lane),
      onApplied: () => this.#dispatch(),
      isStopped: () => this.#stopping.signal.aborted || this.mismatch !== undefined,
      signal: this.#stopping.signal,
      logger,
    });
    this.#router = new Router({
      connection,
      definition,
      log: this.#log,
      lanes: this.#lanes,
      logger,
      onQueued: () => this.#dispatch(),
      onAdvanced: () => this.#advanceIdle(),
    });
    const { lanes: scheme, subjects = '>' } = definition;
    this.#reader = new LaneReader({ log: this.#log, scheme, subjects, router: this.#router });
  }

  /** Starts to keep a version up to date. @throws what the stores and the log fail with */
  static async start<E extends DomainEvent, C>(
    deps: VersionDeps,
    options: VersionOptions<E, C>,
  ): Promise<VersionRun<E, C>> {
    const run = new VersionRun(deps, options);
    await run.#checkpoints.create();
    const state = await streamState(run.#log);
    [run.#createdAt, run.#head] = [state.createdAt, state.head];
    if (await run.#check.look()) return run;
    await run.#renew();
    const owned = run.#lanes.filter(({ isOwned }) => isOwned).map(({ checkpoint }) => checkpoint);
    const isReadByLane = options.definition.lanes.subjectOf !== undefined;
    run.#router.start(isReadByLane || owned.length === 0 ? state.head : Math.min(...owned));
    run.#renewing = run.#keepRenewing();
    run.#checking = run.#check.run();
    run.#link = onReconnect(deps.connection, () => run.#check.lookAgain());
    for (const lane of run.#lanes) if (lane.isOwned) run.#beginReading(lane);
    run.#dispatch();
    return run;
  }

  get version(): number {
    return this.#options.version;
  }

  get store(): ReadModelStore<E, C> {
    return this.#options.store;
  }

  /** What about the version's log or stores is not as it was made, in one sentence; undefined when all is well. */
  get mismatch(): string | undefined {
    return this.#check.mismatch;
  }

  /** Looks whether log and stores are those that the version was made with. @returns what is wrong */
  check(): Promise<string | undefined> {
    return this.#check.look();
  }

  /** The position of the lane of an aggregate, or of the lane that is furthest behind, as far as this instance knows. */
  position(aggregate?: string): number {
    const lanes = this.#lanesOf(aggregate);
    return lanes.reduce((least, lane) => Math.min(least, this.#positionOf(lane)), Number.MAX_SAFE_INTEGER);
  }

  /** Whether this instance holds the lane of an aggregate. */
  isHere(aggregate: string): boolean {
    return this.#lanesOf(aggregate).every(({ isOwned }) => isOwned);
  }

  /** Why an aggregate cannot be answered for up to a sequence; undefined when it can, or only waits. */
  deferralOf(aggregate: string, sequence = Number.MAX_SAFE_INTEGER): Deferral | undefined {
    const lane = this.#lanes[this.#options.definition.lanes.laneOf(aggregate)];
    const deferral = lane?.isOwned ? lane.deferrals.get(aggregate) : this.#foreignDeferrals.get(aggregate);
    return deferral && deferral.from <= sequence ? deferral : undefined;
  }

  /**
   * Waits until a sequence is applied: in the lane of an aggregate, or in all lanes.
   * @returns false when that takes longer than `waitMs` milliseconds
   */
  async await(sequence: number, waitMs: number, aggregate?: string): Promise<boolean> {
    const waits = this.#lanesOf(aggregate).map((lane) => this.#awaitLane(lane, sequence, waitMs, aggregate ?? null));
    const done = await Promise.all(waits);
    return done.every(Boolean);
  }

  /** Applies what an aggregate has waited with. @throws Error with the reason when it still cannot be applied */
  async retry(aggregate: string, discarded?: number): Promise<void> {
    const lane = this.#lanes[this.#options.definition.lanes.laneOf(aggregate)];
    if (!lane) throw new Error(`There is no lane for ${aggregate}`);
    const answer = lane.isOwned
      ? await this.#retryHere(lane, aggregate, discarded)
      : await this.#ask(lane, { type: 'retry', aggregate, discarded: discarded ?? null }, retryWaitMs);
    if (!answer.done) throw new Error(answer.reason ?? 'The event was not applied in time');
  }

  /** What the lane that is furthest ahead has reached. */
  reached(): number {
    return Math.max(this.#router.position, ...this.#lanes.map((lane) => this.#positionOf(lane)));
  }

  /** Whether everything that the log holds now is applied within so many milliseconds; deferred aggregates do not count. */
  async isUpToDate(withinMs: number): Promise<boolean> {
    this.#head = Math.max(this.#head, await headOf(this.#log));
    return this.await(this.#head, withinMs);
  }

  status(): Omit<VersionStatus, 'state'> {
    const { definition, version } = this.#options;
    const owned = this.#lanes.filter(({ isOwned }) => isOwned);
    const failing = owned.find(({ failure }) => failure);
    return {
      ...{ name: definition.name, version, form: definition.form, head: this.#head },
      reason: this.mismatch ?? failing?.failure?.reason ?? this.#trouble ?? this.#check.trouble ?? null,
      position: this.#ownPosition(),
      lagSeconds: Math.max(0, ...owned.map(lagOf)),
      lanes: owned.map((lane) => ({
        lane: lane.index,
        position: this.#positionOf(lane),
        queued: lane.queue.length,
        failuresInARow: lane.failure?.inARow ?? 0,
        reason: lane.failure?.reason ?? null,
        deferred: lane.deferrals.size,
      })),
      deferrals: [...owned.flatMap(({ deferrals }) => [...deferrals.values()]), ...this.#foreignDeferrals.values()],
    };
  }

  /** Calls back when a lane was applied, until it is cancelled. */
  onChange(changed: () => void): { cancel(): void } {
    this.#changed.add(changed);
    return { cancel: () => void this.#changed.delete(changed) };
  }

  /** Ends after the batches in work. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#link?.stop();
    clearTimeout(this.#timer);
    for (const { tracker } of this.#lanes) tracker.close();
    for (const subscription of this.#answering.values()) subscription.unsubscribe();
    await this.#router.stop();
    await this.#working.settled();
    await Promise.all([this.#renewing, this.#checking]);
    await this.#writeIdle().catch(() => undefined);
    await this.#leases.stop().catch(() => undefined);
    await this.#sessions.close().catch(() => undefined);
  }

  /** Makes everybody stop who writes this version, and removes it. */
  async remove(): Promise<void> {
    await this.#checkpoints.retire();
    await this.stop();
    await this.#options.store.drop();
    await this.#deferrals.drop();
    await this.#checkpoints.drop();
  }

  #lanesOf(aggregate: string | undefined): readonly Lane[] {
    if (aggregate === undefined) return this.#lanes;
    const lane = this.#lanes[this.#options.definition.lanes.laneOf(aggregate)];
    return lane ? [lane] : [];
  }

  /** Of the lane that is furthest behind, among those that this instance holds. */
  #ownPosition(): number {
    const owned = this.#lanes.filter(({ isOwned }) => isOwned);
    return owned.length === 0 ? this.#head : Math.min(...owned.map((lane) => this.#positionOf(lane)));
  }

  #positionOf(lane: Lane): number {
    return lane.isOwned && lane.isIdle
      ? Math.max(lane.tracker.position(), this.#router.position)
      : lane.tracker.position();
  }

  /** In turns: the lane may change hands meanwhile, and a request or its reply is lost with a connection. */
  async #awaitLane(lane: Lane, sequence: number, waitMs: number, aggregate: string | null): Promise<boolean> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      const turnMs = Math.max(1, Math.min(deadline - Date.now(), awaitTurnMs));
      if (await this.#awaitOnce(lane, sequence, turnMs, aggregate)) return true;
      if (this.#stopping.signal.aborted || Date.now() >= deadline) return false;
      // A turn ends at once when the lane is just changing hands.
      await pause(betweenTurnsMs);
    }
  }

  async #awaitOnce(lane: Lane, sequence: number, waitMs: number, aggregate: string | null): Promise<boolean> {
    if (!lane.isOwned) return (await this.#ask(lane, { type: 'await', sequence, aggregate, waitMs }, waitMs)).done;
    if (this.#positionOf(lane) >= sequence) return true;
    return lane.tracker.await(sequence, waitMs);
  }

  #ask(lane: Lane, request: LaneRequest, waitMs: number): Promise<LaneAnswer> {
    return askLane(this.#deps.connection, laneSubject(this.#key, lane.index), request, waitMs);
  }

  async #answer(lane: Lane, request: LaneRequest): Promise<LaneAnswer> {
    if (request.type === 'yield') {
      this.#leases.avoid([lane.index], giveAwayMs);
      this.#giveUp(lane);
      return { done: true, reason: null };
    }
    if (request.type === 'retry') return this.#retryHere(lane, request.aggregate, request.discarded ?? undefined);
    return { done: await this.#awaitLane(lane, request.sequence, request.waitMs, request.aggregate), reason: null };
  }

  #advanceIdle(): void {
    const { position } = this.#router;
    this.#head = Math.max(this.#head, position);
    for (const lane of this.#lanes) {
      if (lane.isOwned && lane.isIdle && lane.tracker.hasWaiters() && lane.tracker.position() < position) {
        lane.tracker.moveTo(position);
      }
    }
  }

  /** Starts as many batches as may be applied at once; lanes that are in trouble do not count. */
  #dispatch(): void {
    if (this.#stopping.signal.aborted || this.#check.isSuspect || this.mismatch !== undefined) return;
    this.#advanceIdle();
    for (const lane of this.#lanes) if (lane.isOwned && lane.isReading && !lane.isInWork) this.#readOn(lane);
    const { batchesAtOnce } = this.#pace.speed;
    // By turns with large batches, which it would never come to otherwise, or they to it.
    if (this.#isMaintenanceNext) this.#maintain();
    while (this.#working.count < batchesAtOnce) {
      // Room that is not for large batches is for those with little, who would wait for seconds behind the batches of a few.
      const taken = this.#scheduler.take(this.#isRoomForHeavy());
      if (!taken) break;
      this.#isMaintenanceNext ||= taken.isHeavy;
      const lanes = taken.lanes.map(({ lane }) => lane);
      this.#work({ lanes, isHeavy: taken.isHeavy }, this.#apply(taken));
    }
    this.#maintain();
    this.#wakeLater();
    for (const changed of this.#changed) changed();
  }

  async #apply({ lanes, isHeavy }: TakenBatch): Promise<void> {
    const startedAt = performance.now();
    await this.#applier.process(lanes);
    await this.#pace.restAfter(performance.now() - startedAt, isHeavy);
  }

  #isRoomForHeavy(): boolean {
    return this.#working.heavyCount < this.#pace.speed.heavyAtOnce;
  }

  #maintain(): void {
    const taken = this.#isRoomForHeavy() ? this.#maintainer.take() : undefined;
    if (!taken) return;
    this.#isMaintenanceNext = false;
    this.#work({ lanes: [taken.lane], isHeavy: true }, taken.work());
  }

  #work(work: Work, writing: Promise<void>): void {
    this.#working.add(work, writing, (error) => {
      if (error) this.#deps.logger.error({ err: error, readModel: this.#key }, 'A lane has ended unexpectedly');
      this.#dispatch();
    });
  }

  #wakeLater(): void {
    clearTimeout(this.#timer);
    const heldBackMs = this.#scheduler.heldBackMs(this.#isRoomForHeavy());
    if (heldBackMs === undefined || this.#working.count >= this.#pace.speed.batchesAtOnce) return;
    this.#timer = setTimeout(() => this.#dispatch(), heldBackMs);
  }

  /** Writes under the checkpoint of a lane, which stays where it is. */
  #commitWithoutMove(lane: Lane): Commit {
    return async (_upTo, write) => {
      if (!this.#leases.isHeld()) throw new Error('The lease of the lane was not renewed in time');
      const stay = stayOf(lane);
      await this.#sessions.transact(async (session) => {
        await this.#checkpoints.move([stay], this.#createdAt, session);
        await write(session);
      });
    };
  }

  #beginReading(lane: Lane): void {
    lane.isReading = lane.readUpTo < this.#router.position;
  }

  #readOn(lane: Lane): void {
    this.#reader.fill(lane).then(
      (hasNews) => {
        if (hasNews) this.#dispatch();
      },
      async (error: unknown) => {
        this.#deps.logger.warn({ err: error, readModel: this.#key }, 'Waiting for the event log to be readable');
        await pause(readRetryMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
        this.#dispatch();
      },
    );
  }

  async #keepRenewing(): Promise<void> {
    const { signal } = this.#stopping;
    for (let round = 1; !signal.aborted; round += 1) {
      await pause(renewEveryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        if (this.mismatch === undefined) await this.#renew();
        this.#pace.note(this.#ownPosition(), this.#head);
        if (round % renewalsPerIdleCheckpoint === 0) await this.#writeIdle();
        this.#trouble = undefined;
      } catch (error) {
        this.#trouble = reasonOf(error);
        this.#deps.logger.warn({ err: error, readModel: this.#key }, 'The leases of a read model could not be renewed');
      }
      this.#dispatch();
    }
  }

  async #renew(): Promise<void> {
    const { gained, lost } = await this.#leases.renew();
    if (lost.length > 0) {
      this.#close(lost);
      await this.#leases.release(lost.filter((lane) => !gained.some((each) => each.lane === lane)));
    }
    if (gained.length > 0) await this.#open(gained);
    const all = await this.#deferrals.list();
    const isForeign = ({ lane }: Deferral) => !this.#lanes[lane]?.isOwned;
    this.#foreignDeferrals = new Map(all.filter(isForeign).map((deferral) => [deferral.aggregate, deferral]));
    if (all.length > 0) this.#takeUpKnown();
  }

  async #open(gained: readonly HeldLane[]): Promise<void> {
    await this.#sessions.endOthers(await this.#leases.instances());
    const checkpoints = await this.#checkpoints.fence(gained);
    const deferrals = await this.#deferrals.list();
    for (const { lane: index, position } of checkpoints) {
      const lane = this.#lanes[index];
      const held = gained.find((each) => each.lane === index);
      if (!lane || !held) continue;
      this.#options.store.forgetLane?.(index);
      lane.open(position, held.epoch);
      lane.deferrals.clear();
      for (const deferral of deferrals) if (deferral.lane === index) lane.deferrals.set(deferral.aggregate, deferral);
      this.#beginReading(lane);
      const subject = laneSubject(this.#key, index);
      this.#answering.get(index)?.unsubscribe();
      this.#answering.set(
        index,
        answerLane(this.#deps.connection, subject, (request) => this.#answer(lane, request)),
      );
    }
  }

  #close(lanes: readonly number[]): void {
    for (const index of lanes) {
      this.#lanes[index]?.close();
      this.#options.store.forgetLane?.(index);
      this.#answering.get(index)?.unsubscribe();
      this.#answering.delete(index);
    }
  }

  async #retryHere(lane: Lane, aggregate: string, discarded: number | undefined): Promise<LaneAnswer> {
    const deadline = Date.now() + retryWaitMs;
    lane.isReserved = true;
    try {
      while (lane.isInWork && Date.now() < deadline) await pause(readRetryMs / 10);
    } finally {
      lane.isReserved = false;
    }
    const deferral = lane.deferrals.get(aggregate);
    if (!deferral) return { done: true, reason: null };
    if (!lane.isOwned || lane.isInWork) return { done: false, reason: 'The lane is busy; try again' };
    const release = lane.occupy();
    const { definition, store } = this.#options;
    const options = {
      ...{ definition, store, log: this.#log, checkpoints: this.#checkpoints, deferrals: this.#deferrals },
      ...{ transact: this.#sessions.transact.bind(this.#sessions), createdAt: () => this.#createdAt },
    };
    try {
      await retryDeferred(options, lane, deferral, discarded);
      return { done: true, reason: null };
    } catch (error) {
      return { done: false, reason: reasonOf(error) };
    } finally {
      release();
      this.#dispatch();
    }
  }

  async #deadLetter({ message }: QueuedMessage, { aggregate, lane, reason }: Deferral): Promise<void> {
    await writeDeadLetter(this.#deps.connection, message, { by: this.#key, reason, aggregate, lane });
  }

  /** Another instance has taken the lane over, or the checkpoint is not where it was left: it is opened anew if it is taken again. */
  #giveUp(lane: Lane): void {
    this.#close([lane.index]);
    this.#leases.release([lane.index]).catch(() => undefined);
  }

  /**
   * Aggregates that wait for a release which knows their events are taken up by this one, if it does: here, or after
   * asking the instance that holds their lane for it.
   */
  #takeUpKnown(): void {
    const { catalog } = this.#options.definition;
    const isKnown = ({ kind, type }: Deferral) => kind === 'unknown-type' && catalog.definitions.has(type ?? '');
    for (const lane of this.#lanes) {
      if (!lane.isOwned || lane.isInWork) continue;
      for (const deferral of lane.deferrals.values()) {
        if (isKnown(deferral)) this.#retryHere(lane, deferral.aggregate, undefined).catch(() => undefined);
      }
    }
    for (const deferral of this.#foreignDeferrals.values()) {
      const lane = this.#lanes[deferral.lane];
      if (!lane || !isKnown(deferral)) continue;
      this.#leases.claim([lane.index]);
      this.#ask(lane, { type: 'yield' }, renewEveryMs).catch(() => undefined);
    }
  }

  /** Writes down how far idle lanes are, so that a start does not read again what concerns others. */
  async #writeIdle(): Promise<void> {
    const { position, lastEvent } = this.#router;
    if (this.mismatch !== undefined || !this.#leases.isHeld()) return;
    const idle = this.#lanes.filter((lane) => lane.isOwned && lane.isIdle && lane.checkpoint < position);
    if (idle.length === 0) return;
    const releases = idle.map((lane) => lane.occupy());
    try {
      const moves = idle.map(({ index: lane, epoch, checkpoint: from }) => ({
        lane,
        epoch,
        from,
        to: position,
        lastEvent,
      }));
      await this.#checkpoints.move(moves, this.#createdAt);
      for (const lane of idle) lane.checkpoint = position;
    } finally {
      for (const release of releases) release();
      for (const lane of idle) {
        if (lane.tracker.position() < lane.checkpoint) lane.tracker.moveTo(lane.checkpoint);
      }
    }
  }
}

/** Applying everything that an aggregate has waited with may take its time, in milliseconds. */
const retryWaitMs = 110_000;
/** After this time the instance that holds a lane is found again, in milliseconds. */
const awaitTurnMs = 1_000;
const betweenTurnsMs = 20;

const never = () => false;

function lagOf(lane: Lane): number {
  return lane.queue.length === 0 ? 0 : (performance.now() - lane.queuedAt) / 1_000;
}
