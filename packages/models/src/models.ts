import type { EmbeddingModel, FactExtractor, Reranker } from './ports.ts';
import type { BackgroundWriter, OpinionFormer, Thinker } from './reasoning-ports.ts';

export const modelTasks = ['extract', 'think', 'opinions', 'background', 'embed', 'rerank'] as const;
export type ModelTask = (typeof modelTasks)[number];
/** What a language model is asked for. */
export type ChatTask = Exclude<ModelTask, 'embed' | 'rerank'>;

/** What one call of a model took. */
export interface ModelUsage {
  readonly task: ModelTask;
  /** `<provider>:<model>` */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What all calls for a task took. */
export interface TaskUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What a logger must have; pino's fits. */
export interface ModelsLogger {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface ModelsDeps {
  readonly logger?: ModelsLogger;
  /** Called after every call of a model that told what it took; the built-in models take nothing. */
  readonly onUsage?: (usage: ModelUsage) => void;
  /** For `Retry-After` with a date. */
  readonly clock?: () => Date;
  /** Waits between tries; ends early with the signal's reason. */
  readonly sleep?: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** One model for every task, but for reranking. */
export interface Models {
  readonly extractor: FactExtractor;
  readonly embeddings: EmbeddingModel;
  readonly thinker: Thinker;
  readonly opinions: OpinionFormer;
  readonly background: BackgroundWriter;
  /** Undefined unless a server for it is configured: there is no built-in one. */
  readonly reranker: Reranker | undefined;
  /** What the calls of models took since the start, per task; all zero for the built-in ones. */
  usage(): Readonly<Record<ModelTask, TaskUsage>>;
  /** One sentence for the log of a start, without secrets. */
  describe(): string;
  /** Ends the threads that read texts; what they do fails. */
  close(): Promise<void>;
}
