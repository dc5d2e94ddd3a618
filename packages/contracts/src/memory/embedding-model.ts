/** The stored memory was embedded by another model than the one that is configured; their vectors cannot be compared. */
export class EmbeddingModelMismatchError extends Error {
  override readonly name = 'EmbeddingModelMismatchError';

  constructor(stored: string, configured: string) {
    super(
      `The stored memory was made with the embedding model ${stored}, not with ${configured}: start with ${stored} again, ` +
        'or run `mneme reembed` with the new one to bring the memory over.',
    );
  }
}
