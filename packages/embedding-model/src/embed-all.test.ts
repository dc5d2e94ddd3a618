import type { EmbeddingModel } from '@mneme/models';
import { describe, expect, it } from 'vitest';
import { embedAll } from './embed-all.ts';

const { signal } = new AbortController();
const items = Array.from({ length: 1_300 }, (_, index) => ({ text: String(index) }));

/** A model whose vectors hold the number that the text is, and the sizes of the calls that it got. */
function countingModel(vectorsFor = (texts: readonly string[]) => texts.map((text) => Float32Array.of(Number(text)))) {
  const calls: number[] = [];
  const model: EmbeddingModel = {
    name: 'counting',
    dimensions: 1,
    calibration: { unrelated: 0, strong: 1, link: 1, weight: 1 },
    isSlow: false,
    isServed: false,
    textOf: ({ text }) => text,
    embed: async (texts) => {
      calls.push(texts.length);
      return vectorsFor(texts);
    },
  };
  return { model, calls };
}

function numberOf(base64: string): number {
  return Buffer.from(base64, 'base64').readFloatLE();
}

describe('embedAll', () => {
  it('gives one vector for each text, in their order', async () => {
    const vectors = await embedAll(countingModel().model, items, { signal });
    expect(vectors.map(numberOf)).toEqual(items.map((_, index) => index));
  });

  it('gives the model enough texts at once for four requests of 128, and never all of many', async () => {
    const { model, calls } = countingModel();
    await embedAll(model, items, { signal });
    expect(calls).toEqual([512, 512, 276]);
  });

  it('throws when the model gives more or fewer vectors than there are texts', async () => {
    const { model } = countingModel(() => []);
    await expect(embedAll(model, items.slice(0, 2), { signal })).rejects.toThrow('0 vectors for 2 texts');
  });

  it('ends when it is aborted, before further texts are embedded', async () => {
    const abort = new AbortController();
    const { model, calls } = countingModel((texts) => {
      abort.abort(new Error('enough'));
      return texts.map(() => new Float32Array(1));
    });
    await expect(embedAll(model, items, { signal: abort.signal })).rejects.toThrow('enough');
    expect(calls).toHaveLength(1);
  });
});
