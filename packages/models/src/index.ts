export { createHashedEmbeddings } from './embedding/hashed-embeddings.ts';
export { createRuleExtractor } from './extraction/rule-extractor.ts';
export { indexedText } from './lexical/indexed-text.ts';
export { createLexicalEncoder, type LexicalEncoder, type SparseVector } from './lexical/lexical-encoder.ts';
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
} from './ports.ts';
