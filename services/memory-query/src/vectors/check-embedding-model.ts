import { type EmbeddingEvent, EmbeddingModelMismatchError, memorySubjects } from '@mneme/contracts';
import type { EventStore } from '@mneme/event-store';

/**
 * Makes sure that questions are embedded by the model that the memories were embedded by.
 * @throws EmbeddingModelMismatchError when that is another one
 */
export async function checkEmbeddingModel(store: EventStore<EmbeddingEvent>, embeddingModel: string): Promise<void> {
  const { events } = await store.load(memorySubjects.embeddingModel);
  const chosen = events.at(-1);
  if (chosen?.type !== 'EmbeddingModelChosen' || chosen.data.embeddingModel === embeddingModel) return;
  throw new EmbeddingModelMismatchError(chosen.data.embeddingModel, embeddingModel);
}
