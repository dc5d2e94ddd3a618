import { agentKey, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { describe, expect, it } from 'vitest';
import type { Searchable } from '../read-model/reads.ts';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import { analyseQuestion, type Search } from './question/question.ts';
import { embedQuestion } from './question/question-vectors.ts';
import { retrieve } from './retrieve.ts';
import { createPhaseClock } from './search-trace.ts';

const stores = useStores();

const query = 'Which boats does Bob sell?';
const now = '2026-02-01T00:00:00.000Z';
const request: Search = {
  space: 'public',
  agentId: 'alice',
  query,
  factTypes: [],
  thinkingBudget: 50,
  maxTokens: 4_096,
  reranker: 'heuristic',
  trace: false,
  questionDate: now,
};
const names = ['Ann', 'Ben', 'Cem', 'Dan', 'Eve', 'Fay'];
const things = ['boat', 'cello', 'garden', 'kite', 'novel', 'oven', 'piano'];
const facts = (count: number, year: number) =>
  Array.from(
    { length: count },
    (_, index) => `${names[index % 6]} saw ${things[index % 7]} ${index * 7} of ${year} in street ${index * 13}.`,
  );

/** Retrieves for a search that needs to know how similar units are. */
function ask(stored: Searchable) {
  const embedded = embedQuestion(stores.embeddings, query, {});
  const [clock, without] = [createPhaseClock(() => performance.now()), new Set<never>()];
  const deps = { ...stored, embedded, clock, without, isCompared: true };
  return retrieve(deps, request, analyseQuestion(query, now, stores.lexical));
}

/** The ordinals with which a question is compared, and the cosines of the units that have them. */
async function sampleAfter(...events: readonly Recorded<MemoryEvent>[]) {
  const { apply, readable } = await stores.open();
  await apply(events);
  const stored = await readable();
  const asked: (readonly number[])[] = [];
  const vectors: typeof stored.vectors = {
    ...stored.vectors,
    compare: (comparison) => {
      asked.push(comparison.sample);
      return stored.vectors.compare(comparison);
    },
  };
  const { comparing } = await ask({ ...stored, vectors });
  return { ordinals: asked[0], cosines: (await comparing)?.sample };
}

describe('the units that tell how similar any unit is to a question', () => {
  it('are 64 at equal distances', async () => {
    const log = createLogWriter();
    const { ordinals, cosines } = await sampleAfter(...(await log.batch('a', null, ...facts(100, 2020))));
    expect(ordinals).toEqual(Array.from({ length: 64 }, (_, index) => 1 + Math.floor((index * 100) / 64)));
    expect(cosines).toHaveLength(64);
  });

  it('are as many when all that the agent had before was replaced', async () => {
    const log = createLogWriter();
    const versions: Recorded<MemoryEvent>[] = [];
    for (const year of [2020, 2021, 2022]) {
      versions.push(log.submitted(`op-${year}`, 'doc', 'x'));
      versions.push(await log.extracted(`op-${year}`, 'doc', ...facts(96, year)));
    }
    const { cosines } = await sampleAfter(...versions);
    expect(cosines).toHaveLength(64);
  });
});

it('looks again for a unit that another instance was replacing', async () => {
  const log = createLogWriter();
  const { apply, readable, store } = await stores.open();
  await apply(await log.batch('a', null, 'Bob sells boats.'));
  const stored = await readable();
  const foreign = () => stored.remembered.of(agentKey(request), false);
  // Between the search and this read, its point was removed.
  const vectors: typeof stored.vectors = { ...stored.vectors, indexed: async () => new Map() };
  expect((await ask({ ...stored, vectors, known: foreign() })).hits.words).toEqual([]);
  expect((await ask({ ...stored, known: foreign() })).hits.words).toHaveLength(1);
  expect(foreign()?.indexed.size).toBe(1);
  expect(store.contents.remembered.of(agentKey(request), true)?.indexed.size).toBe(0);
});

it('reads how many units the agent has ever had once, until the agent changes', async () => {
  const log = createLogWriter();
  const { apply, readable, store } = await stores.open();
  const key = agentKey(request);
  const { remembered } = store.contents;
  const askKnowing = async () => ask({ ...(await readable()), known: remembered.of(key, true) });
  await apply(await log.batch('a', null, ...facts(5, 2020)));
  await askKnowing();
  expect(remembered.of(key, true)?.everCount).toBe(5);
  // The next one fails if it reads the row.
  const stored = await readable();
  const unreadable = { ...stored.collections, agents: { findOne: () => Promise.reject(new Error('It reads again')) } };
  const collections = unreadable as unknown as Searchable['collections'];
  await ask({ ...stored, collections, known: remembered.of(key, true) });
  await apply(await log.batch('b', null, ...facts(3, 2021)));
  await askKnowing();
  expect(remembered.of(key, true)?.everCount).toBe(8);
});
