import { type EmbeddingEvent, EmbeddingModelMismatchError, memorySubjects } from '@mneme/contracts';
import { type Decider, type EventStore, execute } from '@mneme/event-store';

export interface ChooseEmbeddingModel {
  readonly type: 'ChooseEmbeddingModel';
  readonly embeddingModel: string;
}

/** Which embedding model the log is for; undefined when it is for none yet. The last event alone tells it. */
export const embeddingModelDecider: Decider<string | undefined, ChooseEmbeddingModel, EmbeddingEvent> = {
  initialState: undefined,
  decide: ({ embeddingModel }, chosen) => {
    if (chosen === embeddingModel) return [];
    if (chosen !== undefined) throw new EmbeddingModelMismatchError(chosen, embeddingModel);
    return [{ type: 'EmbeddingModelChosen', data: { embeddingModel } }];
  },
  evolve: (_chosen, event) => {
    if (event.type !== 'EmbeddingModelChosen') throw new Error(`${event.type} chooses no embedding model`);
    return event.data.embeddingModel;
  },
};

/**
 * Lets the embedding model be the one that the log is for, if it is for none yet.
 * @throws EmbeddingModelMismatchError when the log is for another one
 */
export async function chooseEmbeddingModel(store: EventStore<EmbeddingEvent>, embeddingModel: string): Promise<void> {
  const command = { type: 'ChooseEmbeddingModel', embeddingModel } as const;
  const subject = memorySubjects.embeddingModel;
  await execute(store, embeddingModelDecider, subject, command, { correlationId: 'start' }, { history: 'last' });
}
