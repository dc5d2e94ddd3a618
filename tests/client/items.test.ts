import type { Agent, Mneme } from '@mneme/client';
import { beforeAll, expect, test } from 'vitest';
import { clientOf } from '../system/client-of.ts';
import { newPerson } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

let system: SharedSystem;
let mneme: Mneme;
let alice: Agent;
beforeAll(async () => {
  system = await shareSystem();
  mneme = clientOf(await newPerson(system.http));
  alice = mneme.agent('alice');
  await alice.remember(
    [
      { content: 'The red lamp costs 10 euros.', metadata: { room: 'hall', tags: ['a'] }, eventDate: '2026-01-10' },
      { content: 'The blue lamp costs 20 euros.', metadata: { room: 'attic' }, eventDate: '2026-02-10' },
      { content: 'The green lamp costs 30 euros.', eventDate: new Date('2026-03-10') },
    ],
    { documentId: 'lamps' },
  );
  return system.release;
});

const question = 'What does the lamp cost?';
const all = { minScore: 0 } as const;

async function colours(options: Parameters<Agent['recall']>[1]): Promise<string[]> {
  const { results } = await alice.recall(question, { ...all, ...options });
  return results.map(({ text }) => /red|blue|green/.exec(text)?.[0] ?? text).toSorted();
}

test('what is recalled can be limited and filtered', async () => {
  expect(await colours({})).toEqual(['blue', 'green', 'red']);
  expect(await colours({ limit: 2 })).toHaveLength(2);
  expect(await colours({ since: '2026-02-10', until: new Date('2026-03-10') })).toEqual(['blue']);
  expect(await colours({ filter: { room: 'hall' } })).toEqual(['red']);
  expect(await colours({ filter: { room: { in: ['hall', 'attic'] } } })).toEqual(['blue', 'red']);
  expect(await colours({ filter: { room: { exists: false } } })).toEqual(['green']);
  expect(await colours({ filter: { tags: 'a' } })).toEqual(['red']);
  expect(await colours({ documentId: 'nothing' })).toEqual([]);
  expect(await colours({ types: ['opinion'] })).toEqual([]);
  expect(await colours({ documentId: 'lamps', types: ['world'] })).toHaveLength(3);
});

test('several agents are searched at once', async () => {
  await mneme.agent('bob').remember('The yellow lamp costs 40 euros.');
  const { results } = await alice.recall(question, { ...all, agentIds: ['alice', 'bob'] });
  expect(new Set(results.map(({ agent_id }) => agent_id))).toEqual(new Set(['alice', 'bob']));
});

test('a document grows by what is appended, and the reply says what came of each item', async () => {
  const first = await alice.remember({ content: 'The cat is called Miso.', role: 'user' }, { documentId: 'chat' });
  expect(first.operation_id).toMatch(/^[\da-f-]{36}$/);
  const options = { documentId: 'chat', mode: 'append' } as const;
  const second = await alice.remember(['The dog is called Rex.', 'The cow is called Ida.'], options);
  const units = 'items' in second ? second.items?.map((item) => item.units.map(({ text }) => text)) : undefined;
  expect(units).toEqual([['The dog is called Rex.'], ['The cow is called Ida.']]);
  expect(await alice.documents.get('chat')).toMatchObject({ memory_unit_count: 3 });
  await alice.remember('The goat is called Max.', { documentId: 'chat' });
  expect(await alice.documents.get('chat')).toMatchObject({ memory_unit_count: 1 });
});

test('an answer keeps to the filter', async () => {
  const { text } = await alice.think(question, { store: false, filter: { room: 'attic' } });
  expect(text).toContain('20 euros');
  expect(text).not.toContain('10 euros');
});

test('a wrong filter is refused', async () => {
  const wrong = alice.recall(question, { since: '2026-02-10', until: '2026-02-10' });
  await expect(wrong).rejects.toMatchObject({ status: 422, detail: expect.stringContaining('until') });
  await expect(alice.remember('x', { mode: 'append' })).rejects.toMatchObject({ status: 422 });
});
