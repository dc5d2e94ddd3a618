import { randomUUID } from 'node:crypto';
import type { OperationStatus, Stats, UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { memoryServices } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { dropReadModels } from '../system/stores/drop-read-models.ts';
import { vectorIdsOf } from '../system/stores/qdrant.ts';
import { placesOf } from '../system/stores/store-search.ts';

const database = 'mneme_erasure';

let system: System;
beforeAll(async () => {
  system = await startSystem({
    processes: 'each',
    services: memoryServices,
    environment: { MONGODB_DATABASE: database },
  });
  return system.stop;
});

const erase = (agentId: string) => system.http.delete(`/api/agents/${agentId}`);
const items = (word: string) => [
  { content: `Alice keeps a ${word} in Lisbon.`, context: `about a ${word}`, metadata: { animal: word } },
];
const stats = async (agentId: string) => (await system.http.get<Stats>(`/api/stats/${agentId}`)).body;

/** A word that occurs nowhere else. */
function uniqueWord(): string {
  return `quokka${randomUUID().replace(/\W/g, '')}`;
}

/** Lets an agent remember a word in every way there is. */
async function remember(agentId: string, word: string): Promise<void> {
  const keyed = () => ({ 'idempotency-key': randomUUID() });
  await system.http.put(`/api/agents/${agentId}`, { background: `I know the ${word}.` });
  const batch = { agent_id: agentId, items: items(word) };
  await system.http.post('/api/memories/batch', { ...batch, document_id: `doc-${word}` }, keyed());
  await system.http.post('/api/memories/batch', batch, keyed());
  await system.http.delete(`/api/documents/doc-${word}?agent_id=${agentId}`);
  await system.http.post('/api/memories/batch', { ...batch, document_id: `doc2-${word}` });
  await system.http.post('/api/memories/batch', { ...batch, document_id: `doc2-${word}`, mode: 'append' });
  await system.http.post('/api/search', { agent_id: agentId, query: word }, keyed());
  await system.http.post('/api/think', { agent_id: agentId, query: `What is a ${word}?` }, keyed());
  await system.http.post(`/api/agents/${agentId}/background`, { content: `I own a ${word}.` }, keyed());
}

test('nothing of an erased agent can be found in any store, and the others keep theirs', async () => {
  const [word, otherWord] = [uniqueWord(), uniqueWord()];
  const agentId = `agent-${word}`;
  await remember(agentId, word);
  await remember('other', otherWord);
  // It stands in streams, in rows and, where they can be looked into, in raw files, so that its absence means something.
  const before = new Set((await placesOf(word, system.stack)).map((place) => place.split(/[:.]/)[0]));
  const files = system.stack.servers.nats.folder === undefined ? [] : ['file'];
  expect(before).toEqual(new Set(['MEMORY', database, ...files]));
  const others = await placesOf(otherWord, system.stack);
  const { total_nodes } = await stats(agentId);

  const { status, headers, body } = await erase(agentId);
  expect(status).toBe(200);
  expect(headers.get('x-event-position')).toMatch(/^MEMORY:\d+$/);
  expect(body).toMatchObject({ success: true, agent_id: agentId, memory_units_deleted: total_nodes });
  expect(body).toMatchObject({ documents_deleted: 1, operations_deleted: 4 });
  expect(total_nodes).toBeGreaterThan(0);

  expect(await placesOf(word, system.stack)).toEqual([]);
  expect(await vectorIdsOf(system.stack.qdrantUrl, agentId)).toEqual([]);
  expect(await placesOf(otherWord, system.stack)).toEqual(others);
  expect((await erase(agentId)).status).toBe(404);
  expect((await system.http.get('/api/agents')).body.agents.map((each: { agent_id: string }) => each.agent_id)).toEqual(
    ['other'],
  );
});

test('a batch with a key that is repeated during the erasure is not carried out again', async () => {
  const word = uniqueWord();
  const batch = { agent_id: 'again', items: items(word) };
  const keyed = { 'idempotency-key': randomUUID() };
  const { status: unanswered } = await system.http.post('/api/memories/batch', batch, { ...keyed, prefer: 'wait=0' });
  expect(unanswered).toBe(504);
  // Each of their events takes a while to erase.
  const others = Array.from({ length: 30 }, () =>
    system.http.post('/api/memories/batch', { agent_id: 'again', items: items('dog') }),
  );
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
  const statuses: number[] = [];
  let isErased = false;
  const erasing = erase('again').finally(() => {
    isErased = true;
  });
  await eventually('reads exclude the agent', async () => (await stats('again')).total_nodes === 0);
  while (!isErased) statuses.push((await system.http.post('/api/memories/batch', batch, keyed)).status);
  expect((await erasing).status).toBe(200);
  expect(new Set(statuses)).toEqual(new Set([409]));
  expect((await system.http.post('/api/memories/batch', batch, keyed)).status).toBe(409);
  expect(await placesOf(word, system.stack)).toEqual([]);
});

test('batches on their way store nothing, and who waits for one is told', async () => {
  const word = uniqueWord();
  const many = Array.from({ length: 150 }, (_, index) => ({ content: `Alice keeps ${word} number ${index}.` }));
  const batch = { agent_id: 'busy', items: many };
  const queued = await Promise.all(
    Array.from({ length: 6 }, () => system.http.post('/api/memories/batch_async', { ...batch, document_id: word })),
  );
  const waiting = system.http.post('/api/memories/batch', batch);
  await eventually('the waiting batch is recorded', async () => (await stats('busy')).pending_operations > 0);
  const first = await erase('busy');
  expect(first.status).toBe(200);
  expect([200, 409]).toContain((await waiting).status);
  // A batch that is done may have been done before the erasure, or recorded after it, for a new agent of that name.
  if ((await waiting).status === 200) expect([200, 404]).toContain((await erase('busy')).status);
  expect(await placesOf(word, system.stack)).toEqual([]);
  for (const { body } of queued) {
    expect((await system.http.get<OperationStatus>(`/api/operations/${body.operation_id}/status`)).status).toBe(404);
  }
  const listed = await system.http.get<UnitList>('/api/list?agent_id=busy');
  expect(listed.body.total).toBe(0);
});

test('two erasures at once leave nothing', async () => {
  const word = uniqueWord();
  await remember('twice', word);
  const answers = await Promise.all([erase('twice'), erase('twice'), erase('twice')]);
  expect(answers.map(({ status }) => status)).toContain(200);
  for (const { status } of answers) expect([200, 404]).toContain(status);
  expect(await placesOf(word, system.stack)).toEqual([]);
});

test('an agent of the same name starts empty', async () => {
  const [old, fresh] = [uniqueWord(), uniqueWord()];
  await remember('phoenix', old);
  await erase('phoenix');
  expect(await stats('phoenix')).toMatchObject({ total_nodes: 0, total_documents: 0, pending_operations: 0 });
  const profile = await system.http.get('/api/agents/phoenix/profile');
  expect(profile.body.background).toBe('');
  await system.http.post('/api/memories/batch', { agent_id: 'phoenix', items: items(fresh) });
  const found = await system.http.post('/api/search', { agent_id: 'phoenix', query: `${old} ${fresh}` });
  expect(found.body.results.map(({ text }: { text: string }) => text)).toEqual([`Alice keeps a ${fresh} in Lisbon.`]);
});

test('a rebuild from the log brings nothing back', async () => {
  const [word, otherWord] = [uniqueWord(), uniqueWord()];
  await remember('rebuilt', word);
  await remember('neighbour', otherWord);
  await erase('rebuilt');
  const before = await stats('neighbour');
  const query = system.service('memory-query');
  await query.kill();
  await dropReadModels(system, database);
  await query.start();
  await eventually('the read model is filled again', async () => {
    expect(await stats('neighbour')).toEqual(before);
    return true;
  });
  expect(await placesOf(word, system.stack)).toEqual([]);
  expect(await stats('rebuilt')).toMatchObject({ total_nodes: 0 });
});
