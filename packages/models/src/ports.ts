/** Turns texts into vectors of fixed length; similar texts have similar vectors. */
export interface EmbeddingModel {
  /** Only vectors of the same name can be compared. Stored with every vector. */
  readonly name: string;
  readonly dimensions: number;
  /**
   * @param texts any number of texts, of any length
   * @returns one vector per text, in the same order, each of `dimensions` numbers and of length 1 (all zeros for a blank text)
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}

/** Scores how well texts answer a query, reading each text together with the query (a cross-encoder). */
export interface Reranker {
  /** `rerank:<model>`, or `rerank:<host>` when no model is configured. */
  readonly name: string;
  /**
   * @param texts sent in one request; long texts are cut
   * @returns one score per text, in the same order, 0 to 1; undefined where the model returned none
   * @throws ModelError when the model gives no usable answer within the time that a search may wait
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
