import { expect, test } from 'vitest';
import { configurationsOf } from './configuration.ts';

const timeout = { SYNC_TIMEOUT_MS: '600000' };

test('without a model and settings there is one configuration, the default', () => {
  expect(configurationsOf([], [])).toEqual([{ name: 'default', settings: timeout }]);
});

test('each model is combined with each group of settings', () => {
  expect(configurationsOf(['a:b', 'c:d'], ['default', 'X=1', 'both:X=2', 'both:Y=p=q,r'])).toEqual(
    ['a:b', 'c:d'].flatMap((model) => [
      { name: model, settings: { ...timeout, EMBEDDING_MODEL: model } },
      { name: `${model}, X=1`, settings: { ...timeout, EMBEDDING_MODEL: model, X: '1' } },
      { name: `${model}, both`, settings: { ...timeout, EMBEDDING_MODEL: model, X: '2', Y: 'p=q,r' } },
    ]),
  );
});

test('a setting of another form is refused', () => {
  expect(() => configurationsOf([], ['neighbours'])).toThrow('--set is default, NAME=value or label:NAME=value');
});
