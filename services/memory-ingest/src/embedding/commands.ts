import { type EmbeddingEvent, memorySubjects } from '@mneme/contracts';
import { type EventStore, execute } from '@mneme/event-store';
import { embeddingModelDecider } from './decider.ts';

/**
 * Records the embedding model of a log that has none yet.
 * @throws EmbeddingModelMismatchError when the log has another one
 */
export async function chooseEmbeddingModel(store: EventStore<EmbeddingEvent>, embeddingModel: string): Promise<void> {
  const command = { type: 'ChooseEmbeddingModel', embeddingModel } as const;
  const subject = memorySubjects.embeddingModel;
  await execute(store, embeddingModelDecider, subject, command, { correlationId: 'start' }, { history: 'last' });
}
