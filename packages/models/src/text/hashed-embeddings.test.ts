import { describe, expect, test } from 'vitest';
import { createHashedEmbeddings } from './hashed-embeddings.ts';

const model = createHashedEmbeddings();

async function embed(text: string): Promise<Float32Array> {
  const [vector] = await model.embed([text]);
  if (vector === undefined) throw new Error('no vector');
  return vector;
}

async function likeness(left: string, right: string): Promise<number> {
  const [a, b] = [await embed(left), await embed(right)];
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

test('each text gets one vector of length 1, in order', async () => {
  const texts = [
    'Anna lives in Berlin',
    'Ben sings',
    'the and of',
    '你好世界',
    '😀',
    'a\u0000b',
    '\ud800',
    'x'.repeat(5_000_000),
  ];
  const vectors = await model.embed(texts);
  expect(vectors).toHaveLength(texts.length);
  for (const [index, vector] of vectors.entries()) {
    expect(vector).toHaveLength(model.dimensions);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(vector).toEqual(await embed(texts[index] ?? ''));
  }
});

test('the vector of a blank text is zero', async () => {
  expect(await embed(' \n\t')).toEqual(new Float32Array(model.dimensions));
});

test('no texts, no vectors', async () => {
  expect(await model.embed([])).toEqual([]);
});

describe('alike texts point alike', () => {
  test.each([
    ['Anna paints a sunset', 'Anna painted two sunsets', 'Ben fixes his car'],
    ['the adoption agency', 'agencies for adopting', 'a walk by the sea'],
    ['我昨天去了北京', '北京很大', '他喜欢唱歌'],
    ['ANNA PAINTS', 'anna paints', 'ben drives'],
    ['a misspeled word', 'a misspelled word', 'an entirely different thing'],
  ])('%s is nearer to %s than to %s', async (text, near, far) => {
    expect(await likeness(text, near)).toBeGreaterThan((await likeness(text, far)) + 0.1);
  });
});

test('another room number is another vector', async () => {
  expect(await likeness('Meet in Room 101', 'Meet in Room 102')).toBeLessThan(0.9);
});

test('the vectors of a name never change', async () => {
  const vector = await embed('Anna lives in Berlin');
  const largest = [...vector.entries()].sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, 3);
  expect(model.name).toBe('mneme-hash-512-v1');
  expect(largest.map(([index, value]) => [index, Number(value.toFixed(4))])).toEqual([
    [229, 0.4834],
    [400, 0.4834],
    [489, -0.4834],
  ]);
});

test('can be aborted', async () => {
  await expect(model.embed(['a', 'b'], AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});
