import { defaultPersonality, memoryQuery, memoryStream } from '@mneme/contracts';
import { fixedEmbeddings } from '@mneme/embedding-model';
import { openEraser } from '@mneme/event-store';
import { createModels, type FactExtractor, ModelError, modelsConfigSchema, type OpinionFormer } from '@mneme/models';
import { expect, it, onTestFinished } from 'vitest';
import { silent, submit, useMemoryQuery, useTestLog } from '../testing/test-log.ts';
import { runReactors } from './run-reactors.ts';

const log = useTestLog();

const retryAfterMs = 2_000;

/** The opinion of each agent that any fact affects. */
const opinion = { text: 'I think that Ana likes boats.', confidence: 0.6, eventDate: '2026-01-01T00:00:00.000Z' };

const query = useMemoryQuery(log, (service) => {
  service.serve(memoryQuery.affectedOpinions, ({ agentId }) => ({
    agent: { personality: defaultPersonality, background: '' },
    hasOpinions: true,
    readAt: 0,
    opinions: [{ unitId: `opinion of ${agentId}`, ...opinion, facts: [0] }],
  }));
});

/** Runs the reactors with an extractor that is made from the built-in one, until the test is done. */
async function run(
  makeExtractor: (builtIn: FactExtractor) => FactExtractor,
  options: { concurrency: number; modelThreads?: number },
  revise?: OpinionFormer['revise'],
): Promise<void> {
  const { connection, store } = log;
  const models = await createModels(modelsConfigSchema.parse({ EMBEDDING_MODEL: 'builtin:words' }));
  const reactors = await runReactors({
    connection,
    store,
    eraser: openEraser(connection, memoryStream.name),
    storeFor: () => store,
    client: query.client,
    models: {
      ...models,
      extractor: makeExtractor(models.extractor),
      opinions: { ...models.opinions, revise: revise ?? models.opinions.revise },
    },
    embeddings: fixedEmbeddings(models.embeddings),
    logger: silent,
    ...options,
  });
  onTestFinished(async () => {
    await Promise.all(reactors.map((reactor) => reactor.stop()));
    await models.close();
  });
}

it('tries a batch again when the model server allows it, as its Retry-After says', async () => {
  const tries: number[] = [];
  const limited = (builtIn: FactExtractor): FactExtractor => ({
    name: 'limited',
    extract: async (item) => {
      tries.push(performance.now());
      if (tries.length === 1) throw new ModelError('rate-limited', 'No more requests now.', { retryAfterMs });
      return builtIn.extract(item);
    },
  });
  await run(limited, { concurrency: 1 });
  const subject = await submit(log, ['Alice lives in Lisbon.']);
  await expect.poll(() => log.typesOf(subject), { timeout: 15_000 }).toContain('FactsExtracted');
  const [first = 0, second = 0] = tries;
  // Without it, the second try follows after a second. Timers of the server and of this process may differ a little.
  expect(second - first).toBeGreaterThan(retryAfterMs - 100);
});

it('reads as many large batches at once as it has threads for long texts', async () => {
  let inWork = 0;
  let most = 0;
  const released = Promise.withResolvers<void>();
  const held = (builtIn: FactExtractor): FactExtractor => ({
    name: 'held',
    extract: async (item) => {
      inWork += 1;
      most = Math.max(most, inWork);
      await released.promise;
      inWork -= 1;
      return builtIn.extract({ ...item, content: 'Alice lives in Lisbon.' });
    },
  });
  await run(held, { concurrency: 8, modelThreads: 4 });
  const large = 'Alice lives in Lisbon. '.repeat(5_000);
  const subjects = await Promise.all([1, 2, 3, 4].map(() => submit(log, [large])));
  await expect.poll(() => inWork, { timeout: 15_000 }).toBe(3);
  released.resolve();
  for (const subject of subjects)
    await expect.poll(() => log.typesOf(subject), { timeout: 15_000 }).toContain('FactsExtracted');
  expect(most).toBe(3);
});

it('revises the opinions of an agent for one event after the other, and those of others meanwhile', async () => {
  const begun: string[] = [];
  const held = Promise.withResolvers<void>();
  const revise: OpinionFormer['revise'] = async ({ facts: [fact] }) => {
    begun.push(fact?.text ?? '');
    if (fact?.text === 'Boat 1 is bad for Ana.') await held.promise;
    return { verdict: 'keep', ...opinion };
  };
  await run((builtIn) => builtIn, { concurrency: 1 }, revise);
  const texts = (agent: string) => [1, 2, 3].map((count) => `Boat ${count} is bad for ${agent}.`);
  const begunFor = (agent: string) => begun.filter((text) => text.endsWith(`for ${agent}.`));
  for (const agentId of ['Ana', 'Ben'])
    for (const text of texts(agentId)) await submit(log, [text], { agentId, space: 'ordered' });
  await expect.poll(() => begunFor('Ben'), { timeout: 15_000 }).toEqual(texts('Ben'));
  expect(begunFor('Ana')).toEqual(texts('Ana').slice(0, 1));
  held.resolve();
  await expect.poll(() => begunFor('Ana'), { timeout: 15_000 }).toEqual(texts('Ana'));
});
