import { randomUUID } from 'node:crypto';
import { type MemoryEvent, type MemoryEventOf, memorySubjects, type SubmittedItem } from '@mneme/contracts';
import type { EventStore } from '@mneme/event-store';
import {
  createHashedEmbeddings,
  createRuleExtractor,
  type EmbeddingModel,
  type FactExtractor,
  ModelError,
} from '@mneme/models';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { cancelOperation } from '../operation/commands.ts';
import { useTestLog } from '../testing/test-log.ts';
import { giveUpBatch, whenBatchSubmitted } from './when-batch-submitted.ts';

const log = useTestLog();
let store: EventStore<MemoryEvent>;

const context = { correlationId: 'test' };
const never = new AbortController().signal;
const embeddings = createHashedEmbeddings();
const rules = createRuleExtractor();

beforeAll(() => {
  store = log.store;
});

/** Appends a batch as the gateway does and returns its event as the handler receives it. */
async function submit(contents: readonly string[], itemContext: string | null = null) {
  const operationId = randomUUID();
  const subject = memorySubjects.operation({ space: 'public', agentId: 'alice' }, operationId);
  const items = contents.map((content): SubmittedItem => ({ content, eventDate: null, context: itemContext }));
  const data = { space: 'public', agentId: 'alice', operationId, documentId: null, itemsCount: items.length, items };
  await store.append(subject, [{ type: 'BatchSubmitted', data: { ...data, part: 0, parts: 1 } }], 0, context);
  const [event] = (await store.load(subject)).events;
  if (event?.type !== 'BatchSubmitted') throw new Error('The submission is not there');
  return { operationId, subject, event };
}

function handler(extractor: FactExtractor = rules, maxBytes = 500_000) {
  const deps = { store, models: { extractor, embeddings }, maxEventBytes: () => maxBytes };
  return (event: Awaited<ReturnType<typeof submit>>['event']) => whenBatchSubmitted(deps, event, never);
}

const typesOf = (subject: string) => log.typesOf(subject);

it('turns a batch into facts with vectors and completes it', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.', 'Bob plays the cello.']);
  await handler()(event);
  const { events } = await store.load(subject);
  expect(events.map(({ type }) => type)).toEqual(['BatchSubmitted', 'FactsExtracted']);
  const last = events.at(-1);
  if (last?.type !== 'FactsExtracted') throw new Error('There are no facts');
  expect(last.data.facts.map(({ text, item }) => [item, text])).toEqual([
    [0, 'Alice lives in Lisbon.'],
    [1, 'Bob plays the cello.'],
  ]);
  expect(Buffer.from(last.data.facts[0]?.vector ?? '', 'base64').byteLength).toBe(embeddings.dimensions * 4);
  expect(last).toMatchObject({ causationId: event.id, correlationId: 'test' });
  expect(last.attributes).toEqual({ space: 'public', vectors: 'stored' });
});

it('keeps the resolved date in the text of a fact and embeds it without', async () => {
  const { subject, event } = await submit(['Alice moved to Lisbon yesterday.']);
  await handler()(event);
  const last = (await store.load(subject)).events.at(-1);
  if (last?.type !== 'FactsExtracted') expect.unreachable();
  const [fact] = last.data.facts;
  expect(fact?.text).toMatch(/^Alice moved to Lisbon yesterday \(\d{1,2} \w+ \d{4}\)\.$/);
  const [vector = new Float32Array()] = await embeddings.embed(['Alice moved to Lisbon yesterday.']);
  expect(fact?.vector).toBe(Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'));
});

it('takes lines with the id of the agent as the agent speaking', async () => {
  const { subject, event } = await submit(['Alice: I booked a room.\nBob: I booked a room.']);
  await handler()(event);
  const last = (await store.load(subject)).events.at(-1);
  if (last?.type !== 'FactsExtracted') expect.unreachable();
  expect(last.data.facts.map(({ factType }) => factType)).toEqual(['agent', 'world']);
});

it('reads the history of a batch only if it is older, or has changed meanwhile', async () => {
  const reads: string[] = [];
  const counting: EventStore<MemoryEvent> = {
    ...store,
    fold: (subject, ...args) => {
      reads.push(subject);
      return store.fold(subject, ...args);
    },
  };
  const deps = { store: counting, models: { extractor: rules, embeddings }, maxEventBytes: () => 500_000 };
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  await whenBatchSubmitted(deps, event, never);
  expect(reads).toEqual([]);
  await whenBatchSubmitted(deps, event, never);
  expect(reads).toEqual([subject]);
  const { event: late } = await submit(['Bob plays the cello.']);
  const time = new Date(Date.parse(late.time) - 60_000).toISOString();
  await whenBatchSubmitted(deps, { ...late, time }, never);
  expect(reads).toEqual([subject, late.subject]);
});

it('stores nothing twice when a batch is delivered again', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  await handler()(event);
  await handler()(event);
  expect(await typesOf(subject)).toEqual(['BatchSubmitted', 'FactsExtracted']);
});

it('stores nothing of a batch that is cancelled while it is processed', async () => {
  const { subject, event, operationId } = await submit(['Alice lives in Lisbon.']);
  const slow: FactExtractor = {
    name: 'slow',
    extract: async (item) => {
      await cancelOperation(store, { space: 'public', operationId }, context);
      return rules.extract(item);
    },
  };
  await handler(slow)(event);
  expect(await typesOf(subject)).toEqual(['BatchSubmitted', 'OperationCancelled']);
});

it('shows a batch as processing when it takes long', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  const slow: FactExtractor = {
    name: 'slow',
    extract: async (item) => {
      await vi.waitFor(async () => expect(await typesOf(subject)).toContain('OperationStarted'), { timeout: 10_000 });
      return rules.extract(item);
    },
  };
  await handler(slow)(event);
  expect(await typesOf(subject)).toEqual(['BatchSubmitted', 'OperationStarted', 'FactsExtracted']);
});

it('lets one of two instances win that process the same batch', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  await Promise.all([handler()(event), handler()(event)]);
  const types = await typesOf(subject);
  expect(types.filter((type) => type === 'FactsExtracted')).toHaveLength(1);
});

it('cuts many facts into parts that are appended together', async () => {
  const { subject, event } = await submit(Array.from({ length: 40 }, (_, index) => `Fact number ${index} is here.`));
  await handler(rules, 20_000)(event);
  const parts = (await store.load(subject)).events.flatMap((each) =>
    each.type === 'FactsExtracted' ? [each.data] : [],
  );
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.map(({ part }) => part)).toEqual(parts.map((_, index) => index));
  expect(parts.map(({ firstFact }) => firstFact)[1]).toBe(parts[0]?.facts.length);
  expect(parts.flatMap(({ facts }) => facts)).toHaveLength(40);
});

it('stores the context of an item once in a part, and never more than fits', async () => {
  const itemContext = 'c'.repeat(10_000);
  const content = Array.from({ length: 60 }, (_, index) => `Alice: Fact number ${index} is here.`).join('\n');
  const { subject, event } = await submit([content, 'Bob plays the cello.'], itemContext);
  await handler(rules, 40_000)(event);
  const events = (await store.load(subject)).events.filter(({ type }) => type === 'FactsExtracted');
  const parts = events.map(({ data }) => data as MemoryEventOf<'FactsExtracted'>['data']);
  expect(parts.length).toBeGreaterThan(1);
  for (const { facts, contexts } of parts) {
    const items = [...new Set(facts.map(({ item }) => String(item)))];
    expect(contexts).toEqual(Object.fromEntries(items.map((item) => [item, itemContext])));
  }
  for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(40_000);
  expect(Math.max(...parts.map(({ facts }) => facts.length))).toBeGreaterThan(5);
});

describe('a batch that yields too much', () => {
  const fact = { text: 'x'.repeat(1_000), factType: 'world', eventDate: null, entities: [] } as const;
  const yielding = (facts: number): FactExtractor => ({ name: 'many', extract: async () => Array(facts).fill(fact) });
  let embedded = 0;
  const large: EmbeddingModel = {
    ...embeddings,
    name: 'large',
    dimensions: 4_096,
    embed: async (texts) => {
      embedded += texts.length;
      return texts.map(() => new Float32Array(1));
    },
  };

  it.each([
    ['too many facts', [15_000, 15_000], embeddings, /^The text yields more than 20000 facts, the most that one batch/],
    ['too many bytes', [8_000], large, /^The facts of the batch take more than 134217728 bytes with their vectors/],
  ] as const)('fails at once, before anything is embedded: %s', async (_, counts, model, message) => {
    embedded = 0;
    const { subject, event } = await submit(counts.map(String));
    const extractor = {
      ...yielding(0),
      extract: ({ content }: { content: string }) =>
        yielding(Number(content)).extract({ content, eventDate: '', context: null }),
    };
    await whenBatchSubmitted(
      { store, models: { extractor, embeddings: model }, maxEventBytes: () => 500_000 },
      event,
      never,
    );
    const { events } = await store.load(subject);
    expect(events.at(-1)).toMatchObject({ type: 'OperationFailed', data: { attempts: 1 } });
    expect(events.at(-1)?.data).toMatchObject({ message: expect.stringMatching(message) });
    expect(events.map(({ type }) => type)).not.toContain('FactsExtracted');
    expect(embedded).toBe(0);
  });

  it('fails at once when one text does so alone', async () => {
    const { subject, event } = await submit(['User: Well.\nAgent: I made tea for the user.\n'.repeat(30_000)]);
    await handler()(event);
    const [, ...later] = (await store.load(subject)).events;
    expect(later.at(-1)).toMatchObject({ type: 'OperationFailed', data: { attempts: 1 } });
  });
});

it('completes an empty batch without a fact', async () => {
  const { subject, event } = await submit([]);
  await handler()(event);
  expect(await typesOf(subject)).toEqual(['BatchSubmitted', 'FactsExtracted']);
});

it('records a failure once, with its message', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  const broken: FactExtractor = { name: 'broken', extract: async () => Promise.reject(new Error('The model is away')) };
  await expect(handler(broken)(event)).rejects.toThrow('The model is away');
  await giveUpBatch(store, event, new Error('The model is away'));
  await giveUpBatch(store, event, new Error('The model is away'));
  const { events } = await store.load(subject);
  expect(events.map(({ type }) => type)).toEqual(['BatchSubmitted', 'OperationStarted', 'OperationFailed']);
  expect(events.at(-1)?.data).toMatchObject({ message: 'The model is away', attempts: 1 });
});

it('fails a batch at once when its model would only fail again, naming the item', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.', 'Bob plays the cello.']);
  const refusing: FactExtractor = {
    name: 'refusing',
    extract: async (item) => {
      if (item.content.startsWith('Bob')) throw new ModelError('refused', 'The model refuses to answer.');
      return rules.extract(item);
    },
  };
  await handler(refusing)(event);
  const { events } = await store.load(subject);
  expect(events.at(-1)).toMatchObject({
    type: 'OperationFailed',
    data: { message: 'Item 2 of 2: The model refuses to answer.', attempts: 1 },
  });
});

it('leaves a batch to another attempt when its model may work later', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  const away: FactExtractor = {
    name: 'away',
    extract: () => Promise.reject(new ModelError('unavailable', 'The server has failed.')),
  };
  await expect(handler(away)(event)).rejects.toThrow('The server has failed.');
  expect(await typesOf(subject)).toEqual(['BatchSubmitted', 'OperationStarted']);
});

it('does not skip a batch that a replica does not have yet', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  let isBehind = true;
  const lagging: EventStore<MemoryEvent> = {
    ...store,
    fold: async (...asked) => {
      if (!isBehind) return store.fold(...asked);
      isBehind = false;
      return { state: asked[2], revision: 0, bytes: 0 };
    },
  };
  const deps = { store: lagging, models: { extractor: rules, embeddings }, maxEventBytes: () => 500_000 };
  await whenBatchSubmitted(deps, event, never);
  expect(await typesOf(subject)).toEqual(['BatchSubmitted', 'FactsExtracted']);
});

it('extracts the facts of a batch once, also when a conflict makes it decide again', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  const ref = { space: 'public', agentId: 'alice', operationId: event.data.operationId };
  let extractions = 0;
  const counting: FactExtractor = {
    name: 'counting',
    extract: async (item) => {
      extractions += 1;
      // Another instance shows the batch as processing, too.
      await store.append(subject, [{ type: 'OperationStarted', data: { ...ref, attempt: 1 } }], 'any', context);
      return rules.extract(item);
    },
  };
  await handler(counting)(event);
  expect(await typesOf(subject)).toEqual(['BatchSubmitted', 'OperationStarted', 'FactsExtracted']);
  expect(extractions).toBe(1);
});
