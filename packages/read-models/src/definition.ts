import type { DomainEvent, EventCatalog } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { ClientSession } from 'mongodb';
import type { Logger } from 'pino';
import type { LaneScheme } from './lanes/lane-scheme.ts';

/**
 * What a read model is: which events it is made of, how they are divided into lanes, and where it is kept. Everything
 * else (catching up, leases, checkpoints, waiting, versions, dead letters) is the engine's work.
 */
export interface ReadModelDefinition<E extends DomainEvent, C> {
  /** One word; checkpoints, versions and metrics carry it. */
  readonly name: string;
  /**
   * Changes when the rows, or how they are derived, change: a new version is then built beside the old one. It may change
   * while the read model runs, if versions of the former form stay usable.
   */
  readonly form: string;
  /**
   * Whether a version of another form can be used as well: it answers until one of `form` takes its place. False unless
   * given: then versions of other forms belong to other releases.
   */
  readonly isUsable?: (form: string) => boolean;
  /** The JetStream stream that it is made of. */
  readonly stream: string;
  /** A subject pattern that matches every message which concerns it; all of the stream unless given. */
  readonly subjects?: string;
  readonly catalog: EventCatalog<E>;
  /** The types that it uses; other types of the catalog only move its position. */
  readonly types: readonly E['type'][];
  /** Types of the stream that belong to another catalog and do not concern it. */
  readonly ignoredTypes?: readonly string[];
  /** Types that make everything before them in their aggregate irrelevant: they are applied even where that waits. */
  readonly supersedingTypes?: readonly E['type'][];
  readonly lanes: LaneScheme;
  readonly batches?: BatchLimits;
  /** Where a version is kept, by its number. @param form of the version; any, if it is to be dropped */
  readonly store: (version: number, form: string) => ReadModelStore<E, C>;
  /** The versions of which something is kept outside of MongoDB. Not given where nothing is kept outside. */
  readonly keptOutside?: () => Promise<readonly KeptOutside[]>;
}

/** A version of which something is kept outside of MongoDB, which may know nothing of it. */
export interface KeptOutside {
  readonly version: number;
  /** Whether it certainly was made from this log, and not by another installation that shares the store. */
  readonly isOfThisLog: boolean;
}

export interface BatchLimits {
  /** The most events that are applied in one go. 500 unless given. */
  readonly maxEvents?: number;
  /** The most bytes of event data in one go, unless one event alone is larger. 4 MiB unless given. */
  readonly maxBytes?: number;
  /** Waits a moment for the events that usually follow. No waiting unless given. */
  readonly delay?: BatchingDelay;
}

/**
 * A batch that holds only certain types is held back for a moment, so that what follows is written with it. A request that
 * waits for the lane ends the delay.
 */
export interface BatchingDelay {
  readonly types: readonly string[];
  /** In milliseconds. */
  readonly forMs: number;
  /** Whether the time runs from the lane's last batch, so that an event that comes alone is not held back. */
  readonly sinceLastBatch?: boolean;
}

/** The events of one lane in a batch, in their order. */
export interface LaneEvents<E> {
  readonly lane: number;
  readonly events: readonly Recorded<E>[];
}

/** Events to apply together. */
export interface Batch<E> {
  /** All events in the order of their sequences. */
  readonly events: readonly Recorded<E>[];
  readonly lanes: readonly LaneEvents<E>[];
  /**
   * Given for a batch of a lane with much waiting. To be awaited between steps that take tens of milliseconds: lets a question
   * that has just come go first, for a moment.
   */
  readonly giveWay?: GiveWay | undefined;
  /**
   * To be called before each write that is not in the transaction of `commit`. A process that stood still goes on where it
   * was, when another instance may have applied more; such a write could bring back what was removed meanwhile.
   * @throws Error when another instance may hold a lane of the batch by now
   */
  readonly assertHeld: () => void;
}

export type GiveWay = () => Promise<void>;

/**
 * Moves the checkpoints of the batch's lanes and writes in the same transaction: both happen, or neither.
 * @param upTo moves the lanes up to this sequence only, when a batch is written in several steps; Infinity: to the end
 * @throws FencedError when another instance has taken a lane over; nothing was written then
 */
export type Commit = (upTo: number, write: (session: ClientSession) => Promise<void>) => Promise<void>;

/**
 * One version of a read model in its stores. `apply` is called for one batch at a time of each lane, never for a lane
 * that this instance does not hold.
 */
export interface ReadModelStore<E, C> {
  /** What queries work with. */
  readonly contents: C;
  /** Makes the version new and empty, and removes whatever an earlier version of this number has left. */
  create(): Promise<void>;
  /** Makes indexes that queries rely on, where they are gone; does nothing where they are there. Called at each start. */
  createIndexes?(): Promise<void>;
  /**
   * Names each part of the version (a collection, a bucket) with something that changes when the part is made anew.
   * @returns by part; a part that does not exist is missing
   */
  identity(): Promise<Readonly<Record<string, string>>>;
  /** Writes what follows from the events; calls `commit` at least once, the last time with Infinity. */
  apply(batch: Batch<E>, commit: Commit): Promise<void>;
  /** Forgets what is remembered of a lane: it was lost, or a batch of it failed. */
  forgetLane?(lane: number): void;
  /** Work that events leave to do later, such as removing the units of a replaced document. */
  readonly maintenance?: Maintenance;
  /**
   * Whether every store takes a write, which changes nothing; what fails while one of them does not is no fault of an event.
   * A store may answer and refuse all writes, as Qdrant does on a full disk.
   */
  acceptsWrites(): Promise<boolean>;
  /** How many rows there are, of all kinds. */
  count(): Promise<number>;
  /**
   * Compares the stores with each other and repairs what can be repaired, while events are applied.
   * @param untilApplied resolves when everything that the log holds at the time of the call was applied; fails when that
   * takes too long
   */
  readonly verify?: (untilApplied: () => Promise<void>) => Promise<Verification>;
  /** Removes everything. */
  drop(): Promise<void>;
}

/** Work on rows that no reader sees any more. It is done between batches, in pieces. */
export interface Maintenance {
  /** Whether there is, or may be, something to do for a lane. */
  isDue(lane: number): boolean;
  /** Whether somebody waits for what is done next for a lane; it is then done with shorter rests while questions come. */
  isAwaited?(lane: number): boolean;
  /**
   * Does one bounded piece, which must be safe to repeat.
   * @param giveWay as that of a large batch; given while questions come
   */
  step(lane: number, commit: Commit, giveWay?: GiveWay): Promise<void>;
}

/** What a comparison of stores has found. */
export interface Verification {
  readonly checked: number;
  /** What was wrong and is repaired, by kind. */
  readonly repaired: Readonly<Record<string, number>>;
}

/** The part of a pino logger that this package uses. */
export type ReadModelLogger = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Whether this instance can write and read versions of a form. */
export function isUsable(
  definition: Pick<ReadModelDefinition<never, never>, 'form' | 'isUsable'>,
  form: string,
): boolean {
  return form === definition.form || definition.isUsable?.(form) === true;
}
