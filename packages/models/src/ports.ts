/** Cosines of a model, which mean something else for every model. */
export interface Calibration {
  /** Of texts that have nothing to do with each other: less means nothing. */
  readonly unrelated: number;
  /** From here on a text certainly has to do with a question, even without a word in common. */
  readonly strong: number;
  /** From here on two texts are linked as similar. */
  readonly link: number;
  /** How much the same meaning counts in a search, beside 1 for all words of the question. */
  readonly weight: number;
}

/** What waits for the vectors: a person or agent, a batch, or nothing. A model of limited speed takes them in this order. */
export type Urgency = 'question' | 'batch' | 'background';

/** Turns texts into vectors of fixed length; similar texts have similar vectors. */
export interface EmbeddingModel {
  /** Only vectors of the same name can be compared. Stored with every vector. */
  readonly name: string;
  readonly dimensions: number;
  readonly calibration: Calibration;
  /** Whether facts of large batches are stored first and embedded afterwards, because that takes longer than all the rest. */
  readonly isSlow: boolean;
  /** Whether a server computes the vectors: waiting for them takes no processor time here. */
  readonly isServed: boolean;
  /** The text of a fact as it is embedded, which leaves out what only words are compared by. */
  textOf(fact: { readonly text: string }): string;
  /**
   * @param texts any number of texts, of any length
   * @returns one vector per text, in the same order, each of `dimensions` numbers and of length 1 (all zeros for a blank text)
   */
  embed(texts: readonly string[], signal?: AbortSignal, urgency?: Urgency): Promise<Float32Array[]>;
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

/** The most entities of a fact. */
export const maxEntities = 32;

/** Who wrote an item, in the roles of a chat. */
export type ItemRole = 'user' | 'assistant' | 'system' | 'tool';

/** One memory item, as the caller sent it. */
export interface ExtractionItem {
  readonly content: string;
  /** ISO 8601 with the offset that the caller gave: "yesterday" is yesterday there. Without an offset it is UTC. */
  readonly eventDate: string;
  readonly context: string | null;
  /** Only an item of the assistant can hold experiences and opinions of the agent; without a role, its text decides. */
  readonly role?: ItemRole;
  /** The name by which the agent speaks in transcripts, besides `assistant`, `agent` and the like. */
  readonly agentName?: string;
}

export interface ExtractedFact {
  /** Can be understood alone: carries its speaker, and absolute dates beside relative ones. */
  readonly text: string;
  readonly factType: FactType;
  /** When it happened: ISO 8601 in UTC with milliseconds; null when the item's date cannot be read. */
  readonly eventDate: string | null;
  /** Each name once, in the order of the text. */
  readonly entities: readonly Entity[];
}

/** Turns an item into facts. An item without any visible character gives none. */
export interface FactExtractor {
  readonly name: string;
  /** Which prompt a language model was given, such as `extract.v3`; undefined when no prompt was needed. */
  readonly promptVersion?: string;
  /** More items at once would only wait for each other, and others for them; undefined: any number. */
  readonly itemsAtOnce?: number;
  /** @throws the signal's reason when it is aborted */
  extract(item: ExtractionItem, signal?: AbortSignal): Promise<ExtractedFact[]>;
}
