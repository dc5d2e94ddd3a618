import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { maxEventBytes } from '@mneme/event-store';
import { casesOf, scaled } from '@mneme/local-stack/testing';
import { createModels, type Models, modelsConfigSchema } from '@mneme/models';
import { longestStallOf } from '@mneme/workers/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KeptFacts } from '../operation/kept-facts.ts';
import { submitted, useTestLog } from '../testing/test-log.ts';
import { whenBatchSubmitted } from './when-batch-submitted.ts';

const log = useTestLog();
let models: Models;

const never = new AbortController().signal;
const batchesEach = scaled({ full: 3, short: 1 });
const longestStallMs = 100;
const maxGrowth = 150 * 2 ** 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

beforeAll(async () => {
  models = await createModels(modelsConfigSchema.parse({ EMBEDDING_MODEL: 'builtin:words' }));
});

afterAll(() => models?.close());

const submit = (contents: readonly string[]) =>
  submitted(
    log,
    contents.map((content) => ({ content, eventDate: null, context: 'c'.repeat(16_384) })),
  );

const manyNames = Array.from({ length: 100 }, (_, item) =>
  Array.from({ length: 150 }, (_, index) => `Zo${item}x${index}a`).join(' and '),
);

it.each(
  casesOf<[string, readonly string[]]>([
    ['a hundred items full of new names', manyNames],
    ['ten thousand facts', ['Anna went to the market and bought three apples for her sister. '.repeat(45_000)]],
  ]),
)(
  'a batch of %s does not block the event loop and leaks no memory',
  async (_, contents) => {
    const deps = {
      store: log.store,
      models,
      keptFacts: new KeptFacts(),
      maxEventBytes: () => maxEventBytes(log.connection),
    };
    const { event: first } = await submit(['Alice lives in Lisbon.']);
    await whenBatchSubmitted(deps, first, never);
    collect();
    const before = process.memoryUsage().heapUsed;
    const batches: Awaited<ReturnType<typeof submit>>[] = [];
    for (let index = 0; index < batchesEach; index += 1) batches.push(await submit(contents));
    let done = batches[0];
    const stallMs = await longestStallOf(async () => {
      done = batches.shift() ?? done;
      if (done) await whenBatchSubmitted(deps, done.event, never);
    }, longestStallMs);
    const last = (await log.store.load(done?.subject ?? '')).events.at(-1)?.type;
    collect();
    expect(last).toBe('FactsExtracted');
    expect(stallMs).toBeLessThan(longestStallMs);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(maxGrowth);
  },
  120_000,
);
