import { agentKey, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import type { Search } from './question/question.ts';
import { search } from './search.ts';

const stores = useStores();

const agent = { space: 'public', agentId: 'alice' };
const questions = ['Where does Alice live?', 'Which boats does Bob sell?', 'Who repaired the old lighthouse?'];

function asked(query: string, more: Partial<Search> = {}): Search {
  const limits = { thinkingBudget: 100, maxTokens: 4_096, minScore: 0 };
  return {
    ...agent,
    ...limits,
    query,
    factTypes: [],
    reranker: 'heuristic',
    trace: false,
    questionDate: '2026-02-01',
    ...more,
  };
}

/** One system whose searches remember what they have read, asked beside searches that read everything. */
async function startSystem() {
  const { store, readable, apply } = await stores.open();
  const { remembered, removalsOf } = store.contents;
  const key = agentKey(agent);
  return {
    apply: (...events: readonly Recorded<MemoryEvent>[]) => apply(events),
    /** Each question is asked twice, so that the second time everything is remembered. */
    expectSame: async (more: Partial<Search> = {}, queries: readonly string[] = questions) => {
      for (const query of [...queries, ...queries]) {
        const common = { ...(await readable()), embeddings: stores.embeddings, lexical: stores.lexical };
        const request = asked(query, more);
        const afresh = await search({ ...common, known: undefined }, request);
        const known = remembered.of(key, true);
        const recalled = await search({ ...common, removals: removalsOf(key) ?? common.removals, known }, request);
        expect(recalled).toEqual(afresh);
      }
    },
    texts: async (query: string) => {
      const common = { ...(await readable()), embeddings: stores.embeddings, lexical: stores.lexical };
      return (await search({ ...common, known: remembered.of(key, true) }, asked(query))).results.map(
        ({ text }) => text,
      );
    },
  };
}

it('a search that remembers finds the same as one that reads everything, whatever has changed in between', async () => {
  const { apply, expectSame, texts } = await startSystem();
  const log = createLogWriter();
  await apply(...(await log.batch('one', null, 'Alice lives in Porto.', 'Bob sells boats.')));
  await expectSame();
  await apply(
    ...(await log.batch('two', 'doc', 'Bob sells red boats to Alice.', 'Carol repaired the old lighthouse.')),
  );
  await expectSame();
  await expectSame({ factTypes: ['opinion'] });
  await expectSame({ documentId: 'doc' });
  // A repetition, a corrected, a forgotten unit, and a document that is replaced, appended to and deleted.
  await apply(...(await log.batch('three', null, 'Alice lives in Porto.')));
  await expectSame();
  await apply(await log.corrected(unitId('one', 1), 'Bob sells kites to Alice.'));
  expect(await texts('Which kites does Bob sell?')).toContain('Bob sells kites to Alice.');
  await expectSame();
  await apply(log.forgotten(unitId('one', 0)));
  await expectSame();
  await apply(...(await log.batch('four', 'doc', 'The old lighthouse was repaired by Bob.')));
  await expectSame();
  await apply(
    log.appended(log.submitted('five', 'doc', 'x')),
    await log.extracted('five', 'doc', 'Alice painted the old lighthouse.'),
  );
  await expectSame();
  await apply(log.deleted('doc'));
  await expectSame();
  await apply(log.erased());
  expect(await texts('Where does Alice live?')).toEqual([]);
});

it('a long question does not change what a later one finds', async () => {
  const { apply, expectSame, texts } = await startSystem();
  const log = createLogWriter();
  const goats = Array.from({ length: 199 }, (_, index) => `Goat ${index} eats grass.`);
  await apply(...(await log.batch('one', null, ...goats, 'The goat has a bell.')));
  // More than 64 words that no unit has are enough to search by, so goats are counted up to 40 only.
  const words = Array.from({ length: 99 }, (_, index) => `w${index}`);
  await texts(`goat ${words.join(' ')}`);
  await expectSame({}, ['Which goat has a bell?']);
});
