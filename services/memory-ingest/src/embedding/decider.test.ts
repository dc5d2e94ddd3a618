import { type EmbeddingEvent, EmbeddingModelMismatchError } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { it } from 'vitest';
import { embeddingModelDecider } from './decider.ts';

const chosen: EmbeddingEvent = { type: 'EmbeddingModelChosen', data: { embeddingModel: 'a' } };
const choose = (embeddingModel: string) => ({ type: 'ChooseEmbeddingModel', embeddingModel }) as const;

it('chooses a model once and refuses any other one', () => {
  specify(embeddingModelDecider).when(choose('a')).then([chosen]);
  specify(embeddingModelDecider).given([chosen]).when(choose('a')).then([]);
  specify(embeddingModelDecider).given([chosen]).when(choose('b')).thenRefuses(EmbeddingModelMismatchError);
});
