export { type AddedVectors, isReworded, vectorsAdded } from './added-vectors.ts';
export { areLate, type EmbeddingModels } from './decider.ts';
export { EmbeddingModelMismatchError } from './errors.ts';
export { fixedEmbeddings, type LogEmbeddings } from './log-embeddings.ts';
export { connectModelStore, type ModelStore } from './model-store.ts';
export { type StartedModels, type StartModelsDeps, startModels } from './start-models.ts';
