export { areLate, type EmbeddingModels } from './decider.ts';
export { embedAll } from './embed-all.ts';
export { isReworded } from './is-reworded.ts';
export { fixedEmbeddings, type LogEmbeddings } from './log-embeddings.ts';
export { connectModelStore, type ModelStore, recordedOf } from './model-store.ts';
export { type StartedModels, startModels } from './start-models.ts';
export { storedDimensions } from './stored-dimensions.ts';
export { vectorsDecider } from './vectors-decider.ts';
