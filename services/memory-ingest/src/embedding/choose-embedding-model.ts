import { type EmbeddingEvent, EmbeddingModelMismatchError, memorySubjects } from '@mneme/contracts';
import { ConflictError, type EventStore } from '@mneme/event-store';

/**
 * Lets the embedding model be the one that the log is for, if it is for none yet.
 * @throws EmbeddingModelMismatchError when the log is for another one
 */
export async function chooseEmbeddingModel(store: EventStore<EmbeddingEvent>, embeddingModel: string): Promise<void> {
  const subject = memorySubjects.embeddingModel;
  const { events, revision } = await store.load(subject);
  const chosen = events.at(-1);
  if (chosen?.type === 'EmbeddingModelChosen') {
    if (chosen.data.embeddingModel === embeddingModel) return;
    throw new EmbeddingModelMismatchError(chosen.data.embeddingModel, embeddingModel);
  }
  try {
    const choice = { type: 'EmbeddingModelChosen', data: { embeddingModel } } as const;
    await store.append(subject, [choice], revision, { correlationId: 'start' });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    await chooseEmbeddingModel(store, embeddingModel);
  }
}
