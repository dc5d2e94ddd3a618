/** Turns texts into vectors of one fixed length; alike texts get vectors that point alike. */
export interface EmbeddingModel {
  /** Says which vectors may be compared: two names, two spaces. Stored with every vector. */
  readonly name: string;
  readonly dimensions: number;
  /**
   * @param texts any number of texts, of any length
   * @returns one vector per text, in the same order, each of `dimensions` numbers and of length 1 (all zeros for a blank text)
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}

/** Says how well texts answer a query, by reading each of them together with it. */
export interface Reranker {
  /** `rerank:<model>`; of the host where no model is named. */
  readonly name: string;
  /**
   * @param texts any number of them, none too many for one request; long ones are cut
   * @returns per text, in the same order, 0 to 1; undefined where the model said nothing
   * @throws ModelError when the model gives no usable answer in the time that a search may wait
   */
  score(query: string, texts: readonly string[], signal?: AbortSignal): Promise<(number | undefined)[]>;
}

export const factTypes = ['world', 'agent', 'opinion'] as const;
export type FactType = (typeof factTypes)[number];

export const entityTypes = ['PERSON', 'ORG', 'PLACE', 'PRODUCT', 'CONCEPT', 'OTHER'] as const;
export type EntityType = (typeof entityTypes)[number];

export interface Entity {
  readonly name: string;
  readonly type: EntityType;
}

/** One memory item, as the caller sent it. */
export interface ExtractionItem {
  readonly content: string;
  /** ISO 8601 with the offset that the caller gave: "yesterday" is yesterday there. Without an offset it is UTC. */
  readonly eventDate: string;
  readonly context: string | null;
}

export interface ExtractedFact {
  /** Can be understood alone: carries its speaker, and absolute dates beside relative ones. */
  readonly text: string;
  readonly factType: FactType;
  /** ISO 8601 in UTC with milliseconds; null when the item's date cannot be read. */
  readonly eventDate: string | null;
  /** Each name once, in the order of the text. */
  readonly entities: readonly Entity[];
}

/** Turns an item into facts. An item without any visible character gives none. */
export interface FactExtractor {
  readonly name: string;
  /** Which prompt a language model was given, such as `extract.v2`; undefined when no prompt was needed. */
  readonly promptVersion?: string;
  /** @throws the signal's reason when it is aborted */
  extract(item: ExtractionItem, signal?: AbortSignal): Promise<ExtractedFact[]>;
}
