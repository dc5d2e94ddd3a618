import type { FactType } from '@mneme/contracts';
import type { SparseVector } from '@mneme/models';

/** A unit as the vector store keeps it: without text, only what a search compares, filters by and finds neighbours with. */
export interface UnitVectors extends UnitPlace {
  readonly agentKey: string;
  readonly factType: FactType;
  readonly eventDate: Date;
  readonly ordinal: number;
  readonly documentKey: string | null;
  /** The sequence of the event that created the unit. */
  readonly sequence: number;
  readonly dense: readonly number[];
  readonly lexical: SparseVector;
}

/** The id of a unit and its position among the units that were stored with it. */
export interface UnitPlace {
  readonly id: string;
  readonly operationId: string;
  /** Its index among the facts of the operation, from 0. */
  readonly fact: number;
  readonly isInDocument: boolean;
}

/** A unit found by one method; higher scores are better, and only comparable within the method. */
export interface Hit extends UnitPlace {
  readonly score: number;
}

/** The units of the agent, of any type, that have a single term. */
export interface TermHits {
  /** How many there are, at most `counted`. */
  readonly count: number;
  readonly counted: number;
  /** The unit in which the term has the greatest weight; undefined if no unit has it. */
  readonly best: Pick<Hit, 'id' | 'score'> | undefined;
}

export interface VectorQuery {
  readonly agentKey: string;
  /** Empty for all types. */
  readonly factTypes: readonly FactType[];
  readonly dense: readonly number[];
  readonly lexical: SparseVector;
  /** The most hits by words, and by meaning. */
  readonly lexicalLimit: number;
  readonly denseLimit: number;
  /** Units to exclude, because they no longer exist although they may still be stored. */
  readonly removals: readonly RemovedUnits[];
  /** If given, also finds the best by meaning within this time; half-open, in milliseconds since 1970. */
  readonly window: { readonly from: number; readonly to: number } | undefined;
}

export interface VectorHits {
  readonly dense: readonly Hit[];
  readonly lexical: readonly Hit[];
  /** For each term of the query, in its order. */
  readonly terms: readonly TermHits[];
  /** The best by meaning within the window. */
  readonly window: readonly Hit[];
}

/** The units of a document or of an agent that were created before a sequence. */
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

/** The vectors of all units of one version of the read model. */
export interface VectorIndex {
  /** Creates an empty collection, replacing an existing one, with a mark that identifies it. */
  create(mark: string): Promise<void>;
  /** The mark of the collection; undefined when the collection or its contents are lost. */
  mark(): Promise<string | undefined>;
  drop(): Promise<void>;
  /**
   * Adds or replaces points, which can be found when the promise resolves. A point that a later event has written is kept.
   * @param writtenAt the sequence of the event that the points follow from
   */
  upsert(units: readonly UnitVectors[], writtenAt: number): Promise<void>;
  /** Removes points that were written by an event before a sequence. */
  remove(ids: readonly string[], before: number): Promise<void>;
  removeAll(removed: RemovedUnits): Promise<void>;
  /** The ids of those units that are stored. */
  existing(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The ids of all units that were written by an event up to a sequence, page by page. */
  pages(upTo: number): AsyncIterable<string[]>;
  /** The best by meaning and by words, best first, and how many units have each single term, in one round trip. */
  search(query: VectorQuery): Promise<VectorHits>;
  /** How many units the agent has. */
  count(agentKey: string): Promise<number>;
  /** The similarity of named units to a vector, as `search` gives it. */
  similarities(dense: readonly number[], ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** For each query the ids of the most similar units by an exact search, more than enough to choose the best from. */
  similar(queries: readonly SimilarQuery[]): Promise<readonly (readonly string[])[]>;
  /** Whether the store answers. */
  isReachable(): Promise<boolean>;
}
