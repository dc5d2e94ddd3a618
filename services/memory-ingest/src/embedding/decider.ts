import { type EmbeddingEvent, EmbeddingModelMismatchError } from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';

export interface ChooseEmbeddingModel {
  readonly type: 'ChooseEmbeddingModel';
  readonly embeddingModel: string;
}

/** The state is the embedding model of the log, undefined before the first choice. The last event alone determines it. */
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
