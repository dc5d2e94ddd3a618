import type { EmbeddingEvent } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { describe, expect, it } from 'vitest';
import { areLate, type EmbeddingModelCommand, embeddingModelDecider } from './decider.ts';
import { EmbeddingModelMismatchError } from './errors.ts';

const chosen = (embeddingModel: string): EmbeddingEvent => ({ type: 'EmbeddingModelChosen', data: { embeddingModel } });
const changing = (embeddingModel: string, through: number): EmbeddingEvent => {
  return { type: 'EmbeddingModelChanging', data: { embeddingModel, through } };
};
const command = (type: EmbeddingModelCommand['type'], embeddingModel: string) =>
  ({ type, embeddingModel, through: 7 }) as EmbeddingModelCommand;
const given = (...events: EmbeddingEvent[]) => specify(embeddingModelDecider).given(events);
const after = (...events: EmbeddingEvent[]) =>
  events.reduce(embeddingModelDecider.evolve, embeddingModelDecider.initialState);

it('chooses a model once and refuses any other one', () => {
  specify(embeddingModelDecider)
    .when(command('ChooseEmbeddingModel', 'a'))
    .then([chosen('a')]);
  given(chosen('a')).when(command('ChooseEmbeddingModel', 'a')).then([]);
  given(chosen('a')).when(command('ChooseEmbeddingModel', 'b')).thenRefuses(EmbeddingModelMismatchError);
  given(chosen('a'), changing('b', 5))
    .when(command('ChooseEmbeddingModel', 'b'))
    .thenRefuses(EmbeddingModelMismatchError);
});

it('chooses another model instead of one that nothing is stored with, unless another service was first', () => {
  const instead = (embeddingModel: string): EmbeddingModelCommand => {
    return { type: 'ChooseInstead', embeddingModel, unused: 'a', through: 7 };
  };
  given(chosen('a'))
    .when(instead('b'))
    .then([changing('b', 7), chosen('b')]);
  const b = [chosen('a'), changing('b', 7), chosen('b')];
  given(...b)
    .when(instead('b'))
    .then([]);
  given(...b)
    .when(instead('c'))
    .thenRefuses(EmbeddingModelMismatchError);
  given(chosen('a'), changing('c', 5)).when(instead('b')).thenRefuses(EmbeddingModelMismatchError);
  expect(after(...b)).toEqual({ current: 'b', next: undefined, through: 7, former: ['a'], dimensions: {} });
});

describe('the length of vectors', () => {
  const choose = (embeddingModel: string, dimensions: number): EmbeddingModelCommand => {
    return { type: 'ChooseEmbeddingModel', embeddingModel, dimensions };
  };
  const chosenAs = (embeddingModel: string, dimensions: number): EmbeddingEvent => {
    return { type: 'EmbeddingModelChosen', data: { embeddingModel, dimensions } };
  };
  const refusal = /a gave vectors of 64 numbers when the memory was stored, and gives 65 now/;

  it('is recorded with a choice, and with the next start if an earlier release chose the model', () => {
    given()
      .when(choose('a', 64))
      .then([chosenAs('a', 64)]);
    given(chosen('a'))
      .when(choose('a', 64))
      .then([chosenAs('a', 64)]);
    given(chosenAs('a', 64)).when(choose('a', 64)).then([]);
    const before = [chosen('a'), changing('b', 5), chosen('b')];
    expect(after(...before, chosenAs('b', 64))).toEqual({ ...after(...before), dimensions: { b: 64 } });
  });

  it('is not recorded while the memory is brought to another model, which a choice would end', () => {
    given(chosen('a'), changing('b', 5)).when(choose('a', 64)).then([]);
  });

  it('stays, also while the log has another model', () => {
    given(chosenAs('a', 64)).when(choose('a', 65)).thenRefuses(refusal);
    const moved = [chosenAs('a', 64), chosenAs('b', 8)];
    given(...moved)
      .when({ type: 'ReplaceEmbeddingModel', embeddingModel: 'a', dimensions: 65 })
      .thenRefuses(refusal);
    given(...moved)
      .when({ type: 'BeginChange', embeddingModel: 'a', dimensions: 64, through: 7 })
      .then([{ type: 'EmbeddingModelChanging', data: { embeddingModel: 'a', dimensions: 64, through: 7 } }]);
  });
});

describe('a change', () => {
  it('is begun once, and can be begun for another model', () => {
    given(chosen('a'))
      .when(command('BeginChange', 'b'))
      .then([changing('b', 7)]);
    given(chosen('a'), changing('b', 5)).when(command('BeginChange', 'b')).then([]);
    given(chosen('a'), changing('b', 5))
      .when(command('BeginChange', 'c'))
      .then([changing('c', 7)]);
    given(chosen('a')).when(command('BeginChange', 'a')).then([]);
  });

  it('ends once, and not when it was given up', () => {
    given(chosen('a'), changing('b', 5))
      .when(command('EndChange', 'b'))
      .then([chosen('b')]);
    given(chosen('a'), changing('b', 5), chosen('b')).when(command('EndChange', 'b')).then([]);
    given(chosen('a'), changing('b', 5), chosen('a')).when(command('EndChange', 'b')).then([]);
  });

  it('is given up by choosing the former model', () => {
    given(chosen('a'), changing('b', 5))
      .when(command('ReplaceEmbeddingModel', 'a'))
      .then([chosen('a')]);
    given(chosen('a')).when(command('ReplaceEmbeddingModel', 'a')).then([]);
    given(chosen('a'))
      .when(command('ReplaceEmbeddingModel', 'b'))
      .then([chosen('b')]);
  });
});

it('knows which models there are and were', () => {
  expect(after(chosen('a'), changing('b', 5))).toEqual({
    current: 'a',
    next: 'b',
    through: 5,
    former: [],
    dimensions: {},
  });
  expect(after(chosen('a'), changing('b', 5), chosen('b'))).toEqual({
    current: 'b',
    next: undefined,
    through: 5,
    former: ['a'],
    dimensions: {},
  });
  expect(after(chosen('a'), changing('b', 5), chosen('a')).through).toBeUndefined();
});

it('says which vectors take effect where they stand', () => {
  const during = after(chosen('a'), changing('b', 5));
  expect([5, 6].map((sequence) => areLate(during, 'b', sequence))).toEqual([false, true]);
  expect(areLate(during, 'a', 6)).toBe(false);
  expect(areLate(after(chosen('a'), changing('b', 5), chosen('b')), 'b', 6)).toBe(true);
  expect(areLate(after(chosen('a'), chosen('b')), 'b', 6)).toBe(false);
});
