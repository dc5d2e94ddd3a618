import type { MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogWriter } from '../testing/events.ts';
import { startStores } from '../testing/read-model.ts';
import { analyseQuestion, type Search } from './question.ts';
import { embedQuestion } from './question-vectors.ts';
import { retrieve } from './retrieve.ts';
import { createPhaseClock } from './search-trace.ts';

let stores: Awaited<ReturnType<typeof startStores>>;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

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
  const embedded = embedQuestion(stores.embeddings, query, {});
  const [clock, without] = [createPhaseClock(() => performance.now()), new Set<never>()];
  const deps = { ...stored, vectors, embedded, clock, without, isCompared: true };
  const { comparing } = await retrieve(deps, request, analyseQuestion(query, now, stores.lexical));
  return { ordinals: asked[0], cosines: (await comparing)?.sample };
}

describe('the units that tell how similar any unit is to a question', () => {
  it('are 64 at equal distances', async () => {
    const log = createLogWriter();
    const { ordinals, cosines } = await sampleAfter(
      log.submitted('a', null, 'x'),
      await log.extracted('a', null, ...facts(100, 2020)),
    );
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
