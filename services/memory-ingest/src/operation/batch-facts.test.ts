import { setImmediate } from 'node:timers/promises';
import { createHashedEmbeddings, type ExtractedFact, type FactExtractor } from '@mneme/models';
import { expect, it } from 'vitest';
import { batchFacts } from './batch-facts.ts';
import { KeptFacts } from './kept-facts.ts';

const embeddings = createHashedEmbeddings();
const date = '2026-01-01T00:00:00.000Z';

/** Makes a fact of each item; each waits until it is ended. */
function waitingExtractor(itemsAtOnce?: number) {
  const running = new Map<string, () => void>();
  let peak = 0;
  const extractor: FactExtractor = {
    name: 'waiting',
    ...(itemsAtOnce !== undefined && { itemsAtOnce }),
    extract: async ({ content }): Promise<ExtractedFact[]> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.set(content, resolve);
      peak = Math.max(peak, running.size);
      await promise;
      return [{ text: content, factType: 'world', eventDate: null, entities: [] }];
    },
  };
  return {
    extractor,
    peak: () => peak,
    end: (content: string) => {
      running.get(content)?.();
      running.delete(content);
    },
    /** Waits until these run, and no others. */
    areRunning: (...contents: string[]) =>
      expect.poll(() => [...running.keys()], { interval: 1, timeout: 5_000 }).toEqual(contents),
  };
}

function factsOf(extractor: FactExtractor, count: number) {
  const items = Array.from({ length: count }, (_, index) => ({ content: `${index}`, eventDate: date, context: null }));
  const operation = { items, ref: undefined, isAsync: false };
  const { signal } = new AbortController();
  return batchFacts(operation, date, { extractor, embeddings }, { signal, kept: new KeptFacts().of('batch') });
}

it('extracts as many items at once as the extractor takes, and the next as soon as one is done', async () => {
  const { extractor, peak, end, areRunning } = waitingExtractor(2);
  const batch = factsOf(extractor, 4);
  await areRunning('0', '1');
  end('1');
  await areRunning('0', '2');
  end('2');
  await areRunning('0', '3');
  end('0');
  end('3');
  const { facts } = await batch;
  expect(facts.map(({ item, text }) => [item, text])).toEqual([0, 1, 2, 3].map((index) => [index, `${index}`]));
  expect(peak()).toBe(2);
});

it.each([undefined, 100])('extracts at most 16 items at once with an extractor that takes %s', async (itemsAtOnce) => {
  const { extractor, peak, end } = waitingExtractor(itemsAtOnce);
  const batch = factsOf(extractor, 20);
  const ends = Array.from({ length: 20 }, (_, index) => `${index}`);
  let isDone = false;
  const done = batch.finally(() => (isDone = true));
  while (!isDone) {
    for (const content of ends) end(content);
    await setImmediate();
  }
  expect((await done).facts).toHaveLength(20);
  expect(peak()).toBe(16);
});

it('extracts nothing more of a batch when an item fails', async () => {
  const begun: string[] = [];
  const extractor: FactExtractor = {
    name: 'failing',
    itemsAtOnce: 2,
    extract: async ({ content }) => {
      begun.push(content);
      await setImmediate();
      if (content === '0') throw new Error('The model is away');
      return [];
    },
  };
  await expect(factsOf(extractor, 10)).rejects.toThrow('The model is away');
  await setImmediate();
  await setImmediate();
  expect(begun).toEqual(['0', '1']);
});
