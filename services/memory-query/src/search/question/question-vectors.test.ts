import { createHashedEmbeddings, type EmbeddingModel } from '@mneme/models';
import { expect, it } from 'vitest';
import { embedQuestion } from './question-vectors.ts';

/** A slot that counts how often it is left. */
function countingSlot() {
  let left = 0;
  const leave = <T>(wait: () => Promise<T>): Promise<T> => {
    left += 1;
    return wait();
  };
  return { leave, left: () => left };
}

it.each([
  ['is left while a server embeds', true, 1],
  ['is kept while this machine embeds', false, 0],
])('the slot of a question %s', async (_, isServed, expected) => {
  const model: EmbeddingModel = { ...createHashedEmbeddings(), isServed };
  const slot = countingSlot();
  const { whole } = await embedQuestion(model, 'Where does Ana live?', { slot });
  expect(whole).toHaveLength(model.dimensions);
  expect(slot.left()).toBe(expected);
});
