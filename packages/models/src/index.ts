export { type ModelsConfig, modelsConfigShape } from './config.ts';
export { createModels } from './create-models.ts';
export { findTimeWindow, type TimeWindow } from './dates/window/find-time-window.ts';
export { createRuleExtractor } from './extraction/rule-extractor.ts';
export { ModelError, type ModelErrorCode, maxFacts, tooManyFacts } from './model-error.ts';
export {
  type Models,
  type ModelsDeps,
  type ModelsLogger,
  type ModelTask,
  type ModelUsage,
  modelTasks,
  type TaskUsage,
} from './models.ts';
export {
  type EmbeddingModel,
  type Entity,
  type EntityType,
  type ExtractedFact,
  type ExtractionItem,
  entityTypes,
  type FactExtractor,
  type FactType,
  factTypes,
  type Reranker,
} from './ports.ts';
export type {
  AgentCharacter,
  BackgroundInput,
  BackgroundWriter,
  FormedOpinion,
  HeldOpinion,
  OpinionFormer,
  OpinionInput,
  OpinionRevision,
  Personality,
  RevisionInput,
  RevisionVerdict,
  Thinker,
  ThinkFact,
  ThinkInput,
  Traits,
} from './reasoning-ports.ts';
export { createHashedEmbeddings } from './text/hashed-embeddings.ts';
export { createLexicalEncoder, indexedText, type LexicalEncoder, type SparseVector } from './text/lexical-encoder.ts';
export { countUsage, type UsageCounters } from './usage.ts';
