import type { OnDownload } from '@mneme/downloads';
import type { EmbeddingModel, FactExtractor, Reranker } from './ports.ts';
import type { BackgroundWriter, OpinionFormer, Thinker } from './reasoning-ports.ts';

export const modelTasks = ['extract', 'think', 'opinions', 'background', 'embed', 'rerank'] as const;
export type ModelTask = (typeof modelTasks)[number];
/** The tasks of a language model. */
export type ChatTask = Exclude<ModelTask, 'embed' | 'rerank'>;

/** The tokens of one model call. */
export interface ModelUsage {
  readonly task: ModelTask;
  /** `<provider>:<model>` */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The tokens of all model calls for a task. */
export interface TaskUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The part of a logger that is used; pino's fits. */
export interface ModelsLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface ModelsDeps {
  readonly logger?: ModelsLogger;
  /** Called after every call of a served model; built-in models use no tokens. */
  readonly onUsage?: (usage: ModelUsage) => void;
  /** Called with the progress of the download of a model; it is logged unless given. */
  readonly onDownload?: OnDownload;
  /** How many numbers the stored vectors of a model have; undefined, as when not given, if none are known. @param name as events hold it */
  readonly storedDimensions?: (name: string) => Promise<number | undefined>;
  /** Used to read a `Retry-After` that is a date. */
  readonly clock?: () => Date;
  /** Waits between attempts; rejects early with the signal's reason. */
  readonly sleep?: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** A model for every task; reranking is optional. */
export interface Models {
  readonly extractor: FactExtractor;
  readonly embeddings: EmbeddingModel;
  readonly thinker: Thinker;
  readonly opinions: OpinionFormer;
  readonly background: BackgroundWriter;
  /** Undefined unless a server is configured: there is no built-in reranker. */
  readonly reranker: Reranker | undefined;
  /** Usage since the start, per task; all zero for built-in models. */
  usage(): Readonly<Record<ModelTask, TaskUsage>>;
  /** One sentence for the log at start, without secrets. */
  describe(): string;
  /** Ends the process of a built-in embedding model, whose running calls fail; the models of other tasks remain. */
  closeEmbeddings(): Promise<void>;
  /** Ends the worker threads as well; their running tasks fail. */
  close(): Promise<void>;
}
