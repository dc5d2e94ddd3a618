import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { MemoryEventOf } from '@mneme/contracts';
import {
  createHashedEmbeddings,
  createRuleExtractor,
  type EmbeddingModel,
  type FactExtractor,
  ModelError,
} from '@mneme/models';
import { describe, expect, it, vi } from 'vitest';
import { cancelOperation, retryOperation } from '../operation/commands.ts';
import { KeptFacts } from '../operation/kept-facts.ts';
import { behindAtFirst, submitted, useTestLog } from '../testing/test-log.ts';
import { type BatchDue, giveUpBatch, whenBatchSubmitted } from './when-batch-submitted.ts';

const log = useTestLog();

const context = { correlationId: 'test' };
const never = new AbortController().signal;
const embeddings = createHashedEmbeddings();
const rules = createRuleExtractor();

const submit = (contents: Parameters<typeof submitted>[1]) => submitted(log, contents);

const shared = { keptFacts: new KeptFacts(), maxEventBytes: () => 500_000 };

function handler(extractor: FactExtractor = rules, change: { maxBytes?: number; store?: typeof log.store } = {}) {
  const { maxBytes = 500_000, store = log.store } = change;
  const deps = { store, models: { extractor, embeddings }, keptFacts: new KeptFacts(), maxEventBytes: () => maxBytes };
  return (event: BatchDue) => whenBatchSubmitted(deps, event, never);
}

/** The facts of a batch after it was processed. */
async function factsOf(subject: string) {
  const last = (await log.store.load(subject)).events.at(-1);
  return last?.type === 'FactsExtracted' ? last.data.facts : expect.unreachable();
}

it('turns a batch into facts with vectors and completes it', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.', 'Bob plays the cello.']);
  await handler()(event);
  const { events } = await log.store.load(subject);
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
  const [fact] = await factsOf(subject);
  expect(fact?.text).toMatch(/^Alice moved to Lisbon yesterday \(\d{1,2} \w+ \d{4}\)\.$/);
  const [vector = new Float32Array()] = await embeddings.embed(['Alice moved to Lisbon yesterday.']);
  expect(fact?.vector).toBe(Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'));
});

it('takes lines with the id of the agent as the agent speaking', async () => {
  const { subject, event } = await submit(['Alice: I booked a room.\nBob: I booked a room.']);
  await handler()(event);
  expect((await factsOf(subject)).map(({ factType }) => factType)).toEqual(['agent', 'world']);
});

function aMinuteAgo(event: BatchDue): BatchDue {
  return { ...event, time: new Date(Date.parse(event.time) - 60_000).toISOString() };
}

it('reads the history of a batch only if it is older, or has changed meanwhile, and stores nothing twice', async () => {
  const reads: string[] = [];
  const counting: typeof log.store = {
    ...log.store,
    fold: (subject, ...args) => {
      reads.push(subject);
      return log.store.fold(subject, ...args);
    },
  };
  const handle = handler(rules, { store: counting });
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  await handle(event);
  expect(reads).toEqual([]);
  await handle(event);
  expect(reads).toEqual([subject]);
  expect(await log.typesOf(subject)).toEqual(['BatchSubmitted', 'FactsExtracted']);
  const { event: late } = await submit(['Bob plays the cello.']);
  await handle(aMinuteAgo(late));
  expect(reads).toEqual([subject, late.subject]);
});

it('stores nothing of a batch that is cancelled while it is processed', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  const slow: FactExtractor = {
    name: 'slow',
    extract: async (item) => {
      await cancelOperation(log.store, event.data, context);
      return rules.extract(item);
    },
  };
  await handler(slow)(event);
  expect(await log.typesOf(subject)).toEqual(['BatchSubmitted', 'OperationCancelled']);
});

it('shows a batch as processing when it takes long', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  const slow: FactExtractor = {
    name: 'slow',
    extract: async (item) => {
      await vi.waitFor(async () => expect(await log.typesOf(subject)).toContain('OperationStarted'), {
        timeout: 10_000,
      });
      return rules.extract(item);
    },
  };
  await handler(slow)(event);
  expect(await log.typesOf(subject)).toEqual(['BatchSubmitted', 'OperationStarted', 'FactsExtracted']);
});

it('lets one of two instances win that process the same batch', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  await Promise.all([handler()(event), handler()(event)]);
  const types = await log.typesOf(subject);
  expect(types.filter((type) => type === 'FactsExtracted')).toHaveLength(1);
});

it('cuts many facts into parts that are appended together', async () => {
  const { subject, event } = await submit(Array.from({ length: 40 }, (_, index) => `Fact number ${index} is here.`));
  await handler(rules, { maxBytes: 20_000 })(event);
  const parts = (await log.store.load(subject)).events.flatMap((each) =>
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
  const item = { eventDate: null, context: itemContext };
  const { subject, event } = await submit(
    [content, 'Bob plays the cello.'].map((each) => ({ ...item, content: each })),
  );
  await handler(rules, { maxBytes: 40_000 })(event);
  const events = (await log.store.load(subject)).events.filter(({ type }) => type === 'FactsExtracted');
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
    await whenBatchSubmitted({ ...shared, store: log.store, models: { extractor, embeddings: model } }, event, never);
    const { events } = await log.store.load(subject);
    expect(events.at(-1)).toMatchObject({ type: 'OperationFailed', data: { attempts: 1 } });
    expect(events.at(-1)?.data).toMatchObject({ message: expect.stringMatching(message) });
    expect(events.map(({ type }) => type)).not.toContain('FactsExtracted');
    expect(embedded).toBe(0);
  });

  it('fails at once when one text does so alone', async () => {
    const { subject, event } = await submit(['User: Well.\nAgent: I made tea for the user.\n'.repeat(30_000)]);
    await handler()(event);
    const [, ...later] = (await log.store.load(subject)).events;
    expect(later.at(-1)).toMatchObject({ type: 'OperationFailed', data: { attempts: 1 } });
  });
});

describe('a batch that a language model reads', () => {
  const contents = ['Alice lives in Lisbon.', 'Bob plays the cello.', 'Carol paints.'];

  /** What was asked of the models, and the attempts that a test makes with them. */
  function attempts() {
    const asked: string[] = [];
    const failing = new Set<string>();
    const askFor = async (what: string) => {
      asked.push(what);
      await setImmediate();
      if (failing.has(what)) throw new ModelError('unavailable', 'The model is away');
    };
    const extractor: FactExtractor = {
      ...rules,
      promptVersion: 'extract.v3',
      extract: async (item) => {
        await askFor(item.content);
        return rules.extract(item);
      },
    };
    const embed: EmbeddingModel['embed'] = async (...args) => {
      await askFor('vectors');
      return embeddings.embed(...args);
    };
    const deps = { ...shared, store: log.store, models: { extractor, embeddings: { ...embeddings, embed } } };
    const attempt = async (event: BatchDue) => {
      await whenBatchSubmitted(deps, event, never);
      return asked.splice(0);
    };
    return { attempt, failing, asked };
  }

  it('is asked about again only where it has failed', async () => {
    const { subject, event } = await submit(contents);
    const { attempt, failing, asked } = attempts();
    failing.add('Alice lives in Lisbon.');
    await expect(attempt(event)).rejects.toThrow('Item 1 of 3: The model is away');
    expect(asked.splice(0)).toEqual(contents);
    failing.clear();
    expect(await attempt(event)).toEqual(['Alice lives in Lisbon.', 'vectors']);
    expect((await factsOf(subject)).map(({ text }) => text)).toEqual(contents);
  });

  it('is embedded again without being read again, and then forgotten', async () => {
    const { subject, event } = await submit(contents);
    const { attempt, failing, asked } = attempts();
    failing.add('vectors');
    await expect(attempt(event)).rejects.toThrow('The model is away');
    await giveUpBatch(log.store, event, new Error('The model is away'));
    await retryOperation(log.store, { ...event.data, commandId: randomUUID() }, context);
    failing.clear();
    asked.length = 0;
    const retried = (await log.store.load(subject)).events.at(-1) as BatchDue;
    expect(await attempt(retried)).toEqual(['vectors']);
    expect(shared.keptFacts.of(subject).get(0)).toBeUndefined();
    expect(await factsOf(subject)).toHaveLength(3);
  });
});

it('completes an empty batch without a fact', async () => {
  const { subject, event } = await submit([]);
  await handler()(event);
  expect(await log.typesOf(subject)).toEqual(['BatchSubmitted', 'FactsExtracted']);
});

it('records a failure once, with its message', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  const broken: FactExtractor = { name: 'broken', extract: async () => Promise.reject(new Error('The model is away')) };
  await expect(handler(broken)(event)).rejects.toThrow('The model is away');
  await giveUpBatch(log.store, event, new Error('The model is away'));
  await giveUpBatch(log.store, event, new Error('The model is away'));
  const { events } = await log.store.load(subject);
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
  const { events } = await log.store.load(subject);
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
  expect(await log.typesOf(subject)).toEqual(['BatchSubmitted', 'OperationStarted']);
});

it('does not skip a batch that a replica does not have yet', async () => {
  const { subject, event } = await submit(['Alice lives in Lisbon.']);
  await handler(rules, { store: behindAtFirst(log.store) })(aMinuteAgo(event));
  expect(await log.typesOf(subject)).toEqual(['BatchSubmitted', 'FactsExtracted']);
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
      await log.store.append(subject, [{ type: 'OperationStarted', data: { ...ref, attempt: 1 } }], 'any', context);
      return rules.extract(item);
    },
  };
  await handler(counting)(event);
  expect(await log.typesOf(subject)).toEqual(['BatchSubmitted', 'OperationStarted', 'FactsExtracted']);
  expect(extractions).toBe(1);
});
