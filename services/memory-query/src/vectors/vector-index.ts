import type { FactType } from '@mneme/contracts';
import type { SparseVector } from '@mneme/models';

/** A unit as the vector store keeps it: without text, only what a search compares, filters by and finds neighbours with. */
export interface UnitVectors extends UnitPlace {
  readonly agentKey: string;
  readonly factType: FactType;
  readonly eventDate: Date;
  readonly ordinal: number;
  /** The sequence of the event that created the unit. */
  readonly sequence: number;
  /** The sequence at which its batch was submitted. */
  readonly submitted: number;
  /** What filters by metadata compare; see `tagsOf`. */
  readonly tags: readonly string[];
  /** Empty for a unit that is only found by its words. */
  readonly dense: readonly number[];
  readonly words: SparseVector;
  /** The words of its passage, if it is the unit that stands for it. */
  readonly passageWords: SparseVector | undefined;
  /** The sequence of the last event of its agent that this follows from. */
  readonly writtenAt: number;
}

/** The id of a unit and its position among the units that were stored with it. */
export interface UnitPlace {
  readonly id: string;
  readonly operationId: string;
  /** Its index among the facts of the operation, from 0. */
  readonly fact: number;
  /** The indexes of the first and the last fact of its passage. */
  readonly passage: { readonly first: number; readonly last: number };
  /** Null for a unit without a document. */
  readonly documentKey: string | null;
  /** Which of the batches of its document it came with; 0 without a document. */
  readonly turn: number;
  /** Whether that batch was appended to the document. */
  readonly isAppended: boolean;
  readonly hasQuestion: boolean;
}

/** A unit found by one method; higher scores are better, and only comparable within the method. */
export interface Scored {
  readonly id: string;
  readonly score: number;
}

/** The store returns units of the same score in an order that changes with a rebuild. */
export function bestFirst(left: Scored, right: Scored): number {
  return right.score - left.score || (left.id < right.id ? -1 : 1);
}

/** The same with its place. */
export interface Hit extends Scored, UnitPlace {}

/** Filters of all queries. */
export interface VectorFilter {
  readonly agentKey: string;
  /** Empty for all types. */
  readonly factTypes: readonly FactType[];
  /** Units to exclude, because they no longer exist although they may still be stored. */
  readonly removals: readonly RemovedUnits[];
  /** All units unless given. */
  readonly about?: UnitFilter | undefined;
}

/** What the units must have that a caller is interested in. */
export interface UnitFilter {
  readonly documentKey?: string | undefined;
  /** Half-open, in milliseconds since 1970. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** For each entry at least one of its tags. */
  readonly tags: readonly (readonly string[])[];
  /** None of these. */
  readonly withoutTags: readonly string[];
}

/** What is to be found. */
export interface FindQuery extends VectorFilter {
  /** The most hits of units by each method. */
  readonly units: number;
  readonly meaning?: Meaning | undefined;
  readonly words?: Words | undefined;
}

/** A question by its meaning. */
export interface Meaning {
  readonly dense: readonly number[];
  /** If given, also finds the best by meaning within this time. */
  readonly window: DaysAtPlace | undefined;
}

/** Whole days at some place, half-open, in milliseconds since 1970. */
export interface DaysAtPlace {
  readonly from: number;
  readonly to: number;
  /** The same days in UTC. Midnight in UTC stands for an event of which only the day is known, anywhere. */
  readonly utcDays: { readonly from: number; readonly to: number };
}

/** A question by its words. */
export interface Words {
  /** The terms of the question with their weights. */
  readonly terms: SparseVector;
  /** The most hits of passages. */
  readonly passages: number;
}

/**
 * Best first. Where more units have the same score as the last one than there is room for, none of them is a hit, since the
 * store chooses among them by chance, unless all hits have this score.
 */
export interface Hits<Found extends Scored> {
  /** By the cosine with the question. */
  readonly dense: readonly Found[];
  /** The best of these within the window. */
  readonly window: readonly Found[];
  /** By the sum over the terms of the question of its weight times the weight in the unit. */
  readonly words: readonly Found[];
  /** The same of passages of several units, as the units that stand for them. */
  readonly passages: readonly Found[];
}

/** The units with which a question is compared, to tell whether anything is related to it. */
export interface CompareQuery extends VectorFilter {
  readonly whole: readonly number[];
  /** Ids of units among which the closest are. */
  readonly among: readonly string[];
  /** The ordinals of some units, spread over all that the agent has ever had; those that are gone are left out. */
  readonly sample: readonly number[];
}

/** Cosines with a question. */
export interface Comparison {
  /** The five greatest, greatest first. */
  readonly closest: readonly number[];
  /** Those of the sample, whatever else the query asks for. */
  readonly sample: readonly number[];
}

/** A unit as a search finds it. */
export interface IndexedUnit {
  readonly place: UnitPlace;
  readonly words: SparseVector;
}

/** The hits of each method, with their places. */
export type VectorHits = Hits<Hit>;

/** The units of an agent that were created before a sequence, or those of a document that were submitted before it. */
export interface RemovedUnits {
  readonly agentKey: string;
  /** Null for all units of the agent. */
  readonly documentKey: string | null;
  readonly before: number;
}

/** A query for similar units. */
export interface SimilarQuery {
  readonly agentKey: string;
  readonly dense: ArrayLike<number>;
  readonly minScore: number;
  /** Only units with a greater ordinal. */
  readonly afterOrdinal: number;
  /** Ids of units to exclude. */
  readonly exclude: readonly string[];
  readonly removals: readonly RemovedUnits[];
  /** From this score on and within this time, in milliseconds since 1970, a unit may be repeated. */
  readonly repeatedScore: number;
  readonly around: { readonly from: number; readonly to: number };
}

/** How many units have each of some terms. */
export interface TermCounts {
  /** In the order of the terms. */
  readonly counts: readonly number[];
  /** Terms that more units may have than were counted, since others are rare enough to search by. */
  readonly capped: ReadonlySet<number>;
}

/** What a collection holds about itself. */
export interface CollectionMark {
  /** Identifies it; given when it was created. */
  readonly mark: string;
  /** A number that only grows; 0 unless it was raised. */
  readonly stamp: number;
}

/** What is known of a stored unit. */
export interface StoredPoint extends Pick<UnitVectors, 'writtenAt'> {
  /** Whether it is found by its meaning, and not by its words alone. */
  readonly hasMeaning: boolean;
}

/** The vectors of all units of one version of the read model. */
export interface VectorIndex {
  /** Creates an empty collection, replacing an existing one, with a mark that identifies it. */
  create(mark: string): Promise<void>;
  /** Undefined when the collection or its contents are lost. */
  mark(): Promise<CollectionMark | undefined>;
  /** Raises the stamp, unless it is greater already. */
  raiseStamp(to: number): Promise<void>;
  drop(): Promise<void>;
  /** Adds or replaces points, which can be found when the promise resolves. A point that a later event has written is kept. */
  upsert(units: readonly UnitVectors[]): Promise<void>;
  /** Removes points that were written by an event before a sequence. */
  remove(ids: readonly string[], before: number): Promise<void>;
  removeAll(removed: RemovedUnits): Promise<void>;
  /** Those units that are stored, by id. */
  existing(ids: readonly string[]): Promise<ReadonlyMap<string, StoredPoint>>;
  /** The ids of all units that were written by an event up to a sequence, page by page. */
  pages(upTo: number): AsyncIterable<string[]>;
  /** Finds units by meaning and by words, in one request. */
  find(query: FindQuery): Promise<Hits<Scored>>;
  /** How units of an agent are indexed, by id; those that are not stored are missing. */
  indexed(agentKey: string, ids: readonly string[]): Promise<ReadonlyMap<string, IndexedUnit>>;
  compare(query: CompareQuery): Promise<Comparison>;
  /**
   * How many units have each term: exact up to 64, then to within a factor of two. Of more than 64 terms frequent ones
   * may be capped.
   * @param units how many there are in all
   */
  countTerms(filter: VectorFilter, terms: readonly number[], units: Promise<number>): Promise<TermCounts>;
  /** How many units there are, about. */
  count(filter: VectorFilter): Promise<number>;
  /** For each query the ids of the most similar units by an exact search, more than enough to choose the best from. */
  similar(queries: readonly SimilarQuery[]): Promise<readonly (readonly string[])[]>;
  /** Whether the store takes a write, which changes nothing. @throws what it refuses the write with */
  acceptsWrites(): Promise<boolean>;
}
