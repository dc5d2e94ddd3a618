import type { DomainEvent } from '@mneme/contracts';
import { openLog, writeDeadLetter } from '@mneme/event-store';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Db, MongoClient } from 'mongodb';
import { Applier } from '../applying/applier.ts';
import type { DeferrerOptions } from '../applying/deferrer.ts';
import { Dispatcher } from '../applying/dispatcher.ts';
import { IndexRepair } from '../applying/index-repair.ts';
import { LaneCommits } from '../applying/lane-commits.ts';
import { Maintainer } from '../applying/maintainer.ts';
import { Pace } from '../applying/pace.ts';
import { Scheduler } from '../applying/scheduler.ts';
import { ErasedEvents } from '../deferred/erased-events.ts';
import { retryInLane } from '../deferred/retry.ts';
import { UnknownTypes } from '../deferred/unknown-types.ts';
import type { ReadModelDefinition, ReadModelLogger, ReadModelStore } from '../definition.ts';
import { type LaneCheckpoints, laneMoves, mongoLaneCheckpoints } from '../lanes/checkpoints.ts';
import { mongoDeferrals } from '../lanes/deferrals.ts';
import { Lane } from '../lanes/lane.ts';
import { LaneAccess } from '../lanes/lane-access.ts';
import { LaneBudget } from '../lanes/lane-budget.ts';
import { LaneHolder } from '../lanes/lane-holder.ts';
import { LanePositions } from '../lanes/lane-positions.ts';
import { LaneReader } from '../lanes/lane-reader.ts';
import { LaneLeases } from '../lanes/leases.ts';
import { Router } from '../lanes/router.ts';
import { SessionPool } from '../mongo/sessions.ts';
import { IdentityCheck } from './identity-check.ts';

export interface VersionDeps {
  readonly connection: NatsConnection;
  readonly client: MongoClient;
  readonly db: Db;
  /** Unique for this instance of the service. */
  readonly instance: string;
  readonly logger: ReadModelLogger;
  /** Whether this instance has lost a store and leaves its lanes to others; never unless given. */
  readonly isAside?: () => boolean;
}

export interface VersionOptions<E extends DomainEvent, C> {
  readonly definition: ReadModelDefinition<E, C>;
  readonly version: number;
  /** That of the definition unless given. */
  readonly form?: string;
  readonly store: ReadModelStore<E, C>;
  /** In the database unless given. */
  readonly checkpoints?: LaneCheckpoints;
  /** What the store's parts were when the version was made. */
  readonly identity: Readonly<Record<string, string>>;
  /** How often to check whether log and stores are still the same, in milliseconds; 3 000 unless given. */
  readonly checkEveryMs?: number;
  /** How often the leases of its lanes are renewed, in milliseconds; 1 000 unless given. */
  readonly renewEveryMs?: number;
  /** How long a store may fail for an event and take other writes meanwhile, in milliseconds; 300 000 unless given. */
  readonly storeFailureMs?: number;
  /** How much its lanes may hold in memory, in bytes; 128 MiB unless given. */
  readonly laneBytes?: number;
  /** How many batches are applied at once; 4 unless given. */
  readonly batchesAtOnce?: number;
  /** Whether another version answers questions, which are to go first. */
  readonly isToGiveWay?: () => boolean;
  /** How long ago the last question came, to whichever version, in milliseconds. */
  readonly unusedMs?: () => number;
}

const defaultCheckEveryMs = 3_000;
/** The time without a renewal after which another instance takes lanes over, in milliseconds. */
const leaseMs = 3_000;

/**
 * Makes the parts of a version and connects them; nothing runs yet.
 * @param signal aborted when everything is stopped
 */
export function makeVersionParts<E extends DomainEvent, C>(
  deps: VersionDeps,
  options: VersionOptions<E, C>,
  signal: AbortSignal,
) {
  const { definition, store, version, identity, batchesAtOnce = 4, isToGiveWay = never, unusedMs = notAsked } = options;
  const { connection, client, db, instance, logger } = deps;
  const { lanes: scheme, batches: limits } = definition;
  const key = `${definition.name}@${version}`;
  const log = openLog(connection, definition.stream);
  /** When the stream was created, and its last sequence at the start; set when the version is started. */
  const stream = { createdAt: '', headAtStart: Number.POSITIVE_INFINITY };
  const budget = new LaneBudget(scheme.count, options.laneBytes);
  const lanes = Array.from({ length: scheme.count }, (_, index) => new Lane(index, budget));
  const checkpoints = options.checkpoints ?? mongoLaneCheckpoints(db, key, scheme.count);
  const deferrals = mongoDeferrals(db, key);
  const isAside = untilSettled(deps.isAside ?? never, () => lanes.some(({ isInWork }) => isInWork));
  const leases = new LaneLeases({ db, key, lanes: scheme.count, instance, ttlMs: leaseMs, isAside });
  const isHeld = () => leases.isHeld();
  const sessions = new SessionPool({ client, db, key, instance });
  const moved = laneMoves(checkpoints, sessions, () => stream.createdAt);
  const deadLetter: DeferrerOptions['deadLetter'] = ({ message }, { aggregate, lane, reason }) =>
    writeDeadLetter(connection, message, { by: key, reason, aggregate, lane });
  const indexes = new IndexRepair({ key, store, signal, logger });
  /** What events are applied with. */
  const writing = { store, checkpoints: moved, deferrals, deadLetter, indexes };
  // The parts call each other; what is named before it is made is only called when the version runs.
  const dispatch = () => dispatcher.dispatch();
  const onLost = (lane: Lane) => holder.giveUp(lane);
  const check = new IdentityCheck({
    key,
    log,
    store,
    checkpoints,
    lanes: scheme.count,
    read: () => ({ position: router.position, lastEvent: router.lastEvent, log: stream.createdAt || null }),
    identity,
    everyMs: options.checkEveryMs ?? defaultCheckEveryMs,
    onState: ({ head }) => {
      positions.head = head;
    },
    onMismatch: () => scheme.forget?.(),
    onChecked: dispatch,
    signal,
    logger,
  });
  const router = new Router({
    connection,
    definition,
    log,
    lanes,
    logger,
    onQueued: dispatch,
    onAdvanced: () => positions.advanceIdle(),
  });
  const positions: LanePositions = new LanePositions({
    lanes,
    laneOf: (aggregate) => scheme.laneOf(aggregate),
    router,
  });
  const access: LaneAccess = new LaneAccess({
    connection,
    key,
    positions,
    retryHere: (retry) =>
      retryInLane({ ...writing, definition, log, isHeld, onLost, signal, logger, onFree: dispatch }, retry),
    onAwaited: dispatch,
    giveAway: (lane) => holder.giveAway(lane),
    deferralsIn: (lane) => holder.deferralsIn(lane),
    onDeferred: (told) => holder.noteForeign(told),
    signal,
  });
  const unknownTypes = new UnknownTypes<E>({
    key,
    catalog: definition.catalog,
    positions,
    leases,
    access,
    deferrals,
    commitOf: (lane) => commits.withoutMove(lane),
    onFree: dispatch,
    logger,
  });
  const holder: LaneHolder = new LaneHolder({
    connection,
    key,
    leases,
    checkpoints,
    deferrals,
    sessions,
    positions,
    access,
    unknownTypes,
    router,
    forgetLane: (lane) => store.forgetLane?.(lane),
  });
  const erasedEvents = new ErasedEvents({ key, log, positions, access, logger });
  const commits = new LaneCommits({ lanes, checkpoints: moved, leases, router, onLost });
  const pace = new Pace({ limits, batchesAtOnce, isToGiveWay, unusedMs, signal });
  const applier = new Applier({
    ...writing,
    pace,
    definition,
    key,
    isNew: (sequence) => sequence > stream.headAtStart,
    isHeld,
    onLost,
    onApplied: dispatch,
    isStopped: () => signal.aborted || check.mismatch !== undefined,
    storeFailureMs: options.storeFailureMs,
    signal,
    logger,
  });
  const dispatcher: Dispatcher = new Dispatcher({
    key,
    positions,
    reader: new LaneReader({ log, scheme, subjects: definition.subjects ?? '>', router }),
    scheduler: new Scheduler(lanes, pace, limits?.delay),
    applier,
    maintainer: new Maintainer({
      key,
      lanes,
      maintenance: store.maintenance,
      indexes,
      pace,
      commitOf: (lane) => commits.withoutMove(lane),
      signal,
      logger,
    }),
    pace,
    isSuspended: () => check.isSuspect || check.mismatch !== undefined,
    signal,
    logger,
  });
  return {
    key,
    log,
    erasedEvents,
    indexes,
    stream,
    checkpoints,
    leases,
    sessions,
    check,
    positions,
    access,
    holder,
    router,
    commits,
    pace,
    dispatcher,
  };
}

/** What a version at work is made of. */
export type VersionParts<E extends DomainEvent> = ReturnType<typeof makeVersionParts<E, unknown>>;

/**
 * An instance that comes back takes no lanes while batches that it began before still wait for a store: what it takes again
 * would wait for them.
 */
function untilSettled(isAside: () => boolean, isInWork: () => boolean): () => boolean {
  let wasAside = false;
  return () => {
    wasAside = isAside() || (wasAside && isInWork());
    return wasAside;
  };
}

const never = () => false;
const notAsked = () => Number.POSITIVE_INFINITY;
