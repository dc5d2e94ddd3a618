import { yieldToEventLoop } from '@mneme/workers/time-slices';
import { expect, test } from 'vitest';
import type { Urgency } from '../ports.ts';
import type { Inference } from './inference.ts';
import { createInferencePool } from './inference-pool.ts';
import { embeddingsOf } from './minilm-embeddings.ts';

/** A pool whose processes take a turn of the event loop for each request, and count the texts that they were given. */
function countingPool(size: number) {
  const counts: number[] = [];
  const clock = { ms: 0 };
  const createInference = (): Inference => {
    const index = counts.push(0) - 1;
    return {
      start: async () => undefined,
      run: async (texts) => {
        counts[index] = (counts[index] ?? 0) + texts.length;
        await yieldToEventLoop();
        return new Float32Array(texts.length * 384);
      },
      close: () => undefined,
    };
  };
  const pool = createInferencePool(size, createInference, () => clock.ms);
  return { embeddings: embeddingsOf(pool), counts, clock };
}

function textsOf(call: number | string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${call}.${index}`);
}

/** Eight calls of a thousand texts each are under way. @returns resolves when they are done */
async function beginEight({
  embeddings,
  counts,
}: ReturnType<typeof countingPool>): Promise<{ done: Promise<unknown> }> {
  const done = Promise.all(Array.from({ length: 8 }, (_, call) => embeddings.embed(textsOf(call, 1_000))));
  while ((counts[0] ?? 0) < 200) await yieldToEventLoop();
  return { done };
}

test('calls take turns: one sentence does not wait for all that eight calls have left to do', async () => {
  const counting = countingPool(1);
  const { done } = await beginEight(counting);
  const [before = 0] = counting.counts;
  await counting.embeddings.embed(['One sentence.']);
  // At most two parts of eight texts of each of the other calls, and its own text.
  expect((counting.counts[0] ?? 0) - before).toBeLessThanOrEqual(129);
  await done;
  expect(counting.counts).toEqual([8_001]);
});

test('a few texts are embedded by the second process if the first has more than a few to do', async () => {
  const counting = countingPool(2);
  const { done } = await beginEight(counting);
  await counting.embeddings.embed(textsOf('few', 2));
  expect(counting.counts[1]).toBe(2);
  await counting.embeddings.embed(textsOf('more', 3));
  expect(counting.counts[1]).toBe(2);
  await done;
});

test.each<[Urgency, number[]]>([
  ['batch', [3, 0]],
  ['background', [3, 0]],
  ['question', [2, 1]],
])('beside two texts, one of a %s is embedded where there are %j then', async (urgency, expected) => {
  const { embeddings, counts } = countingPool(2);
  await Promise.all([embeddings.embed(textsOf('first', 2)), embeddings.embed(['Another one.'], undefined, urgency)]);
  expect(counts).toEqual(expected);
});

test('all processes embed in the background when no caller has waited for two seconds, and stop it with the next question', async () => {
  const { embeddings, counts, clock } = countingPool(2);
  const embedBehind = (text: string) => embeddings.embed(textsOf(text, 80), undefined, 'background');
  clock.ms = 1_999;
  await embedBehind('early');
  expect(counts).toEqual([80, 0]);
  clock.ms = 2_000;
  await embedBehind('quiet');
  expect(counts).toEqual([120, 40]);
  await embeddings.embed(['A question?'], undefined, 'question');
  const before = [...counts];
  await embedBehind('asked');
  expect(counts).toEqual([(before[0] ?? 0) + 80, before[1]]);
});
