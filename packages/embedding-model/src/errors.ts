import { embeddingSettingOf } from '@mneme/models';

/** The log is for another embedding model than the configured one, and their vectors cannot be compared. */
export class EmbeddingModelMismatchError extends Error {
  override readonly name = 'EmbeddingModelMismatchError';

  constructor(stored: string, configured: string, options?: ErrorOptions) {
    super(
      `The stored memory was made with the embedding model ${stored}, not with ${configured}: start with ` +
        `EMBEDDING_MODEL=${embeddingSettingOf(stored)} again, or run \`mneme reembed\` with the new one to bring the memory over.`,
      options,
    );
  }
}
