export { type ModelsConfig, modelsConfigSchema, modelsConfigShape } from './config.ts';
export { createEmbeddings, createModels, type LoadedEmbeddings } from './create-models.ts';
export { findTimeWindow } from './dates/window/find-time-window.ts';
export { writtenDates } from './dates/written-dates.ts';
export {
  builtInSettingOf,
  defaultEmbeddingSetting,
  embeddingNameOf,
  embeddingSettingOf,
  embeddingSettingsOf,
  wordsSetting,
} from './embedding-setting.ts';
export { createRuleExtractor } from './extraction/rule-extractor.ts';
export { ModelError, maxFacts, otherLength, retryAfterOf, tooManyFacts } from './model-error.ts';
export type { Models, ModelsDeps, ModelsLogger } from './models.ts';
export type {
  Calibration,
  EmbeddingModel,
  ExtractedFact,
  ExtractionItem,
  FactExtractor,
  Reranker,
  Urgency,
} from './ports.ts';
export type {
  AgentCharacter,
  BackgroundWriter,
  FormedOpinion,
  HeldOpinion,
  OpinionFormer,
  OpinionRevision,
  Thinker,
  ThinkFact,
  Traits,
} from './reasoning-ports.ts';
export { embedInTime } from './served/embed-in-time.ts';
export { embeddedText } from './text/embedded-text.ts';
export { createHashedEmbeddings } from './text/hashed-embeddings.ts';
export { type Identified, identifiersOf } from './text/identifiers.ts';
export {
  createLexicalEncoder,
  indexedText,
  type LexicalEncoder,
  type SparseVector,
  scopeTerms,
} from './text/lexical-encoder.ts';
export { plainLetters } from './text/plain-letters.ts';
export { countUsage } from './usage.ts';
