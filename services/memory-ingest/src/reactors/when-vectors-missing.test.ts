import { randomUUID } from 'node:crypto';
import { memorySubjects } from '@mneme/contracts';
import { fixedEmbeddings } from '@mneme/embedding-model';
import { createHashedEmbeddings, createRuleExtractor, type EmbeddingModel, ModelError } from '@mneme/models';
import { describe, expect, it } from 'vitest';
import { KeptFacts } from '../operation/kept-facts.ts';
import { submitted, useTestLog } from '../testing/test-log.ts';
import { whenBatchSubmitted } from './when-batch-submitted.ts';
import { type EmbeddedEvent, whenModelChanges, whenVectorsMissing } from './when-vectors-missing.ts';

const agent = { space: 'public', agentId: 'alice' };
const context = { correlationId: 'test' };
const eventDate = '2026-01-01T00:00:00.000Z';
const never = new AbortController().signal;
const words = createHashedEmbeddings();
const embedded: string[][] = [];
/** The model that compares words, as if it took long. */
const slow: EmbeddingModel = {
  ...words,
  isSlow: true,
  isServed: false,
  embed: (texts, signal) => {
    embedded.push([...texts]);
    return words.embed(texts, signal);
  },
};

const log = useTestLog();

/** Submits a batch and processes it. @returns its facts as the log has them */
async function stored(items: number, { isAsync = false, embeddings = slow } = {}) {
  const contents = Array.from({ length: items }, (_, index) => `Alice owns boat number ${index}.`);
  const { subject, event } = await submitted(log, contents, { isAsync });
  const models = { extractor: createRuleExtractor(), embeddings };
  await whenBatchSubmitted(
    { store: log.store, models, keptFacts: new KeptFacts(), maxEventBytes: () => 500_000 },
    event,
    never,
  );
  const [facts] = (await log.store.load(subject)).events.filter(({ type }) => type === 'FactsExtracted');
  if (facts?.type !== 'FactsExtracted') throw new Error('There are no facts');
  return facts;
}

type Facts = Awaited<ReturnType<typeof stored>>;

const isSuperseded = async () => false;

function react(facts: Facts, embeddings: EmbeddingModel = slow, maxBytes = 500_000) {
  return whenVectorsMissing(
    { store: log.store, embeddings: fixedEmbeddings(embeddings), maxEventBytes: () => maxBytes, isSuperseded },
    facts,
    never,
  );
}

async function addedTo({ data, position }: Facts) {
  const { events } = await log.store.load(memorySubjects.vectors(agent, data.embeddingModel, position.sequence));
  return events.flatMap((event) => (event.type === 'VectorsAdded' ? [event.data] : []));
}

describe('facts are recorded without vectors', () => {
  it.each([
    ['of more than 1,000 facts', 1_001, false, true],
    ['of 1,000 facts', 1_000, false, false],
    ['that no one waits for', 1, true, true],
  ])('in a batch %s', async (_, items, isAsync, isLater) => {
    embedded.length = 0;
    const { data, attributes } = await stored(items, { isAsync });
    // An event has at most 100 facts.
    expect(data.facts).toHaveLength(Math.min(items, 100));
    expect(data.facts.every(({ vector }) => (vector === '') === isLater)).toBe(true);
    expect(attributes.vectors).toBe(isLater ? undefined : 'stored');
    expect(embedded.length > 0).toBe(!isLater);
  });

  it('never if the embedding model is fast', async () => {
    const { data } = await stored(30, { isAsync: true, embeddings: words });
    expect(data.facts).toHaveLength(30);
    expect(data.facts.every(({ vector }) => vector !== '')).toBe(true);
  });
});

it('the vectors follow, the same ones as if they had been recorded with the facts', async () => {
  const facts = await stored(30, { isAsync: true });
  await react(facts);
  const [added] = await addedTo(facts);
  const expected = await words.embed(facts.data.facts.map(words.textOf));
  const { operationId } = facts.data;
  expect(added).toMatchObject({ ...agent, operationId, firstFact: 0, embeddingModel: words.name });
  expect(added?.of).toBe(facts.position.sequence);
  expect(added?.vectors).toEqual(expected.map((vector) => Buffer.from(vector.buffer).toString('base64')));
});

it('they are appended once, however often the facts are delivered', async () => {
  const facts = await stored(25, { isAsync: true });
  await Promise.all([react(facts), react(facts)]);
  embedded.length = 0;
  await react(facts);
  expect(await addedTo(facts)).toHaveLength(1);
  expect(embedded).toEqual([]);
});

it('they are cut into parts that say where they begin', async () => {
  const facts = await stored(40, { isAsync: true });
  await react(facts, slow, 30_000);
  const added = await addedTo(facts);
  expect(added.length).toBeGreaterThan(1);
  expect(added.flatMap(({ vectors }) => vectors)).toHaveLength(40);
  let next = 0;
  for (const { firstFact, vectors } of added) {
    expect(firstFact).toBe(next);
    next += vectors.length;
  }
});

it('facts with vectors, and facts of another model, are left alone', async () => {
  const whole = await stored(3);
  await react(whole);
  expect(await addedTo(whole)).toEqual([]);
  const facts = await stored(30, { isAsync: true });
  await react(facts, { ...slow, name: 'other' });
  expect(await addedTo(facts)).toEqual([]);
});

it('facts of a document that was replaced or deleted since get none', async () => {
  const facts = await stored(30, { isAsync: true });
  embedded.length = 0;
  const deps = { store: log.store, embeddings: fixedEmbeddings(slow), maxEventBytes: () => 500_000 };
  await whenVectorsMissing({ ...deps, isSuperseded: async () => true }, facts, never);
  expect([await addedTo(facts), embedded]).toEqual([[], []]);
});

it('a model that fails is asked again later', async () => {
  const facts = await stored(30, { isAsync: true });
  const failing = { ...slow, embed: () => Promise.reject(new ModelError('unavailable', 'gone')) };
  await expect(react(facts, failing)).rejects.toThrow('gone');
  await react(facts);
  expect(await addedTo(facts)).toHaveLength(1);
});

describe('while the memory is brought to another model', () => {
  const next: EmbeddingModel = { ...words, name: 'next' };
  const changing = (through: number) => ({
    current: () => slow,
    next: (): EmbeddingModel | undefined => next,
    state: () => ({ current: slow.name, next: next.name, through, former: [], dimensions: {} }),
  });
  const follow = (event: EmbeddedEvent, embeddings: ReturnType<typeof changing>) =>
    whenModelChanges({ store: log.store, embeddings, maxEventBytes: () => 500_000, isSuperseded }, event, never);
  const addedFor = async ({ position }: EmbeddedEvent, model = next.name) => {
    const { events } = await log.store.load(memorySubjects.vectors(agent, model, position.sequence));
    return events.flatMap((event) => (event.type === 'VectorsAdded' ? [event.data] : []));
  };
  const revise = async (unitId: string, text: string) => {
    const data = { ...agent, unitId, verdict: 'rewrite' as const, text, confidence: 0.5, eventDate, entities: null };
    const by = {
      because: randomUUID(),
      former: 'test',
      promptVersion: 'v1',
      embeddingModel: slow.name,
      vector: 'AAAA',
    };
    const subject = memorySubjects.unit(agent, unitId);
    await log.store.append(subject, [{ type: 'OpinionRevised', data: { ...data, ...by } }], 'any', context);
    const last = (await log.store.load(subject)).events.at(-1);
    if (last?.type !== 'OpinionRevised') throw new Error('The revision is not there');
    return last;
  };

  it('later facts get vectors of it as well, which take effect where they stand', async () => {
    const facts = await stored(3);
    await follow(facts, changing(facts.position.sequence));
    expect(await addedFor(facts)).toEqual([]);
    await follow(facts, changing(facts.position.sequence - 1));
    const { operationId } = facts.data;
    expect(await addedFor(facts)).toMatchObject([{ operationId, firstFact: 0, vectors: { length: 3 } }]);
    expect(await addedTo(facts)).toEqual([]);
  });

  it('facts without any vectors get those of both models', async () => {
    const facts = await stored(3, { isAsync: true });
    const embeddings = changing(facts.position.sequence - 1);
    await follow(facts, embeddings);
    await whenVectorsMissing(
      { store: log.store, embeddings, maxEventBytes: () => 500_000, isSuperseded },
      facts,
      never,
    );
    expect([await addedTo(facts), await addedFor(facts)]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  it('facts wait for the model to be loaded', async () => {
    const facts = await stored(3);
    const embeddings = { ...changing(facts.position.sequence - 1), next: () => undefined };
    await expect(follow(facts, embeddings)).rejects.toThrow('not loaded yet');
  });

  it('a reworded opinion gets a vector, unless it was reworded again', async () => {
    const unitId = randomUUID();
    const first = await revise(unitId, 'I believe that Alice likes boats.');
    const second = await revise(unitId, 'I believe that Alice dislikes boats.');
    const embeddings = changing(first.position.sequence - 1);
    await follow(first, embeddings);
    await follow(second, embeddings);
    expect(await addedFor(first)).toEqual([]);
    expect(await addedFor(second)).toMatchObject([{ operationId: unitId, unitId, vectors: { length: 1 } }]);
  });
});
