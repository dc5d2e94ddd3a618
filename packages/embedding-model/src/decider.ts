import type { EmbeddingEvent } from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';
import { otherLength } from '@mneme/models';
import { EmbeddingModelMismatchError } from './errors.ts';

/** The embedding models of a log, by their names. */
export interface EmbeddingModels {
  /** Memories are stored and searched with it; undefined before the first choice. */
  readonly current: string | undefined;
  /** The model that the memory is being brought to. */
  readonly next: string | undefined;
  /**
   * Up to this sequence, vectors of the newest of both models take effect at the event that they are for; those of later
   * events take effect where they stand in the log. Undefined if the memory was not brought to that model while it was used.
   */
  readonly through: number | undefined;
  /** Those that were current before. */
  readonly former: readonly string[];
  /** How many numbers the vectors of a model have, by its name, where that was recorded. */
  readonly dimensions: Readonly<Record<string, number>>;
}

/** An embedding model, as a service or command has it. */
interface Given {
  readonly embeddingModel: string;
  /** How many numbers its vectors have, unless that is certain for its name. */
  readonly dimensions?: number | undefined;
}

export type EmbeddingModelCommand =
  /** A service starts with a model. */
  | ({ readonly type: 'ChooseEmbeddingModel' } & Given)
  /** A service starts with another model than the `unused` one, with which nothing is stored up to `through`. */
  | ({ readonly type: 'ChooseInstead'; readonly unused: string; readonly through: number } & Given)
  /** The events up to `through` have vectors of a model. */
  | ({ readonly type: 'BeginChange'; readonly through: number } & Given)
  /** The read model of the next embedding model answers. */
  | { readonly type: 'EndChange'; readonly embeddingModel: string }
  /** No service runs, or a change is given up. */
  | ({ readonly type: 'ReplaceEmbeddingModel' } & Given);

export const embeddingModelDecider: Decider<EmbeddingModels, EmbeddingModelCommand, EmbeddingEvent> = {
  initialState: { current: undefined, next: undefined, through: undefined, former: [], dimensions: {} },
  decide: (command, { current, next, dimensions: recorded }) => {
    const { embeddingModel } = command;
    const dimensions = command.type === 'EndChange' ? undefined : command.dimensions;
    const known = recorded[embeddingModel];
    if (dimensions !== undefined && known !== undefined && dimensions !== known)
      throw otherLength(embeddingModel, known, dimensions);
    const model = { embeddingModel, ...(dimensions !== undefined && { dimensions }) };
    const chosen: EmbeddingEvent = { type: 'EmbeddingModelChosen', data: model };
    switch (command.type) {
      case 'ChooseEmbeddingModel':
        if (current !== undefined && current !== embeddingModel)
          throw new EmbeddingModelMismatchError(current, embeddingModel);
        // An earlier release did not record the length. A choice would end a change.
        if (current !== undefined && (dimensions === known || dimensions === undefined || next !== undefined))
          return [];
        return [chosen];
      case 'ChooseInstead':
        if (next === undefined && current === embeddingModel) return [];
        if (next !== undefined || current !== command.unused)
          throw new EmbeddingModelMismatchError(current ?? command.unused, embeddingModel);
        // What other services store until they see it is brought over, as at the end of any change.
        return [{ type: 'EmbeddingModelChanging', data: { ...model, through: command.through } }, chosen];
      case 'BeginChange':
        if (next === embeddingModel || (next === undefined && current === embeddingModel)) return [];
        return [{ type: 'EmbeddingModelChanging', data: { ...model, through: command.through } }];
      case 'EndChange':
        return next === embeddingModel ? [chosen] : [];
      case 'ReplaceEmbeddingModel':
        return next === undefined && current === embeddingModel ? [] : [chosen];
    }
  },
  evolve: (state, event) => {
    const { current, next, through, former } = state;
    const dimensions = dimensionsWith(state, event);
    switch (event.type) {
      case 'EmbeddingModelChanging':
        return { ...state, next: event.data.embeddingModel, through: event.data.through, dimensions };
      case 'EmbeddingModelChosen': {
        const chosen = event.data.embeddingModel;
        const before = current === undefined || current === chosen ? [] : [current];
        return {
          current: chosen,
          next: undefined,
          through: next === chosen || (next === undefined && current === chosen) ? through : undefined,
          former: [...former, ...before],
          dimensions,
        };
      }
      default:
        throw new Error(`${event.type} chooses no embedding model`);
    }
  },
};

function dimensionsWith({ dimensions }: EmbeddingModels, { data }: EmbeddingEvent): EmbeddingModels['dimensions'] {
  if (!('dimensions' in data) || data.dimensions === undefined) return dimensions;
  return { ...dimensions, [data.embeddingModel]: data.dimensions };
}

/** Whether vectors of a model for the event at a sequence take effect where they stand in the log. */
export function areLate({ current, next, through }: EmbeddingModels, embeddingModel: string, sequence: number) {
  return (next ?? current) === embeddingModel && through !== undefined && sequence > through;
}
