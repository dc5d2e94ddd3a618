import { EmbeddingModelMismatchError } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { embeddingModelDecider } from './decider.ts';

const { decide, evolve, initialState } = embeddingModelDecider;
const choose = (embeddingModel: string) => ({ type: 'ChooseEmbeddingModel', embeddingModel }) as const;

it('chooses a model once, and no other one after it', () => {
  const [chosen, ...others] = decide(choose('a'), initialState);
  expect([chosen, others]).toEqual([{ type: 'EmbeddingModelChosen', data: { embeddingModel: 'a' } }, []]);
  const state = chosen && evolve(initialState, chosen);
  expect(decide(choose('a'), state)).toEqual([]);
  expect(() => decide(choose('b'), state)).toThrow(EmbeddingModelMismatchError);
});
