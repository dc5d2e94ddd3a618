import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { longestStallOf } from '@mneme/workers/testing';
import { afterAll, afterEach, describe, expect, it, test } from 'vitest';
import { createRuleExtractor } from '../extraction/rule-extractor.ts';
import { neutralAgent } from '../testing/sample-tasks.ts';
import { createBuiltInModels } from './built-in-models.ts';
import { createTextWorkers, type TextWorkers, type TextWorkersOptions } from './text-workers.ts';

const eventDate = '2023-05-08T13:56:00+02:00';
const item = (content: string) => ({ content, eventDate, context: null });
const made: TextWorkers[] = [];

function workersWith(options: TextWorkersOptions = {}): TextWorkers {
  const workers = createTextWorkers(options);
  made.push(workers);
  return workers;
}

afterEach(async () => {
  await Promise.all(made.splice(0).map((each) => each.close()));
});

describe('a text gives the same', () => {
  const prose = 'Anna met John Smith in Berlin yesterday. They talked about the project at Acme Corp. ';

  it.each([
    ['short', prose],
    ['long', prose.repeat(50)],
    ['full of names', Array.from({ length: 100 }, (_, index) => `Name${index}a`).join(' and ')],
  ])('wherever it is read: %s', async (_, text) => {
    const { extractor } = createBuiltInModels(workersWith());
    expect(await extractor.extract(item(text))).toEqual(await createRuleExtractor().extract(item(text)));
  });

  it('in vectors, few or many', async () => {
    const { embeddings } = createBuiltInModels(workersWith());
    const [alone] = await embeddings.embed([prose]);
    const all = await embeddings.embed(Array.from({ length: 500 }, () => prose));
    expect(all).toHaveLength(500);
    expect(all.at(-1)).toEqual(alone);
    expect(all.at(-1)).toBeInstanceOf(Float32Array);
  });
});

describe('a task that takes too long', () => {
  const endless = item('Anna was here. '.repeat(300_000));

  it('fails like a model that does not answer, and the next one works', async () => {
    let limitMs = 100;
    const workers = workersWith({ threads: 1, timeLimitMs: () => limitMs });
    const { extractor } = createBuiltInModels(workers);
    await expect(extractor.extract(endless)).rejects.toMatchObject({
      name: 'ModelError',
      code: 'timeout',
      isPassing: true,
      message: 'Reading the text took longer than 0.1 s.',
    });
    limitMs = 60_000;
    expect(await extractor.extract(item('Anna was here. '.repeat(300)))).not.toEqual([]);
  });

  it('ends when it is aborted, with the reason', async () => {
    const { extractor } = createBuiltInModels(workersWith());
    const abort = new AbortController();
    const running = extractor.extract(endless, abort.signal);
    abort.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });
});

it('a text with too many facts is refused permanently, also from a thread', async () => {
  const { extractor } = createBuiltInModels(workersWith());
  const turns = 'User: Well.\nAgent: I made tea for the user.\n'.repeat(30_000);
  await expect(extractor.extract(item(turns))).rejects.toMatchObject({ code: 'too-large', isPassing: false });
});

describe('the event loop', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const longestStallMs = 100;
  const maxGrowth = 150 * 2 ** 20;
  const workers = createTextWorkers({ timeLimitMs: () => 240_000 });
  const { extractor, embeddings, thinker, opinions, background } = createBuiltInModels(workers);
  const megabyte = 1_000_000;
  const names = (count: number) =>
    Array.from({ length: count }, (_, index) => `Zo${(index * 7919).toString(36)}a`).join(' and ');
  const agent = neutralAgent;
  const asked = { query: 'What did Anna do?', context: null, agent, agentFacts: [], opinions: [], now: eventDate };
  const sentences = Array.from({ length: 4_000 }, (_, index) => `I like ${index} apples.`).join('\n');

  afterAll(() => workers.close());

  test.each<[string, () => Promise<unknown>]>([
    ['two megabytes of one-letter sentences', () => extractor.extract(item('a. '.repeat(0.7 * megabyte)))],
    ['a megabyte of one-letter lines', () => extractor.extract(item('a\n'.repeat(megabyte / 2)))],
    ['a hundred kilobytes of new names', () => extractor.extract(item(names(9_000)))],
    [
      'forty texts of two kilobytes of new names',
      () => Promise.all(Array.from({ length: 40 }, (_, index) => extractor.extract(item(`${index} ${names(150)}`)))),
    ],
    [
      'many short texts',
      () =>
        Promise.all(
          Array.from({ length: 150 }, (_, index) =>
            extractor.extract(item(`Anna${index} met Bob in Rome on ${index % 28} May. `.repeat(20))),
          ),
        ),
    ],
    ['60 kilobytes of dates', () => extractor.extract(item('2 days ago on 7 May '.repeat(3_000)))],
    ['half a megabyte of open quotes', () => extractor.extract(item('“ “I think '.repeat(megabyte / 22)))],
    [
      'a favourite of 64 kilobytes',
      () => background.merge({ current: '', addition: `My favorite ${'a '.repeat(32_000)}` }),
    ],
    ['a background of 4 000 lines, twice', () => background.merge({ current: sentences, addition: sentences })],
    ['a background full of you', () => background.merge({ current: '', addition: 'you '.repeat(16_000) })],
    ['traits of 64 kilobytes', () => background.inferTraits('not very kind, '.repeat(4_300))],
    [
      'twenty thousand texts to embed',
      () => embeddings.embed(Array.from({ length: 20_000 }, (_, index) => `fact ${index}`)),
    ],
    [
      'an answer of half a megabyte',
      () => opinions.form({ query: '', answer: 'I think “that. '.repeat(megabyte / 30), agent, knownOpinions: [] }),
    ],
    [
      'ten thousand facts to think about',
      () =>
        thinker.think({
          ...asked,
          worldFacts: Array.from({ length: 10_000 }, (_, index) => ({
            text: `Anna did ${index}. `.repeat(10),
            eventDate: null,
          })),
        }),
    ],
  ])(
    'is not held up by %s',
    async (_, work) => {
      await extractor.extract(item(names(200)));
      collect();
      const before = process.memoryUsage().heapUsed;
      const stallMs = await longestStallOf(work, longestStallMs);
      collect();
      expect(stallMs).toBeLessThan(longestStallMs);
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(maxGrowth);
    },
    120_000,
  );
});
