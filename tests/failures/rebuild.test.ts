import { atFullLength } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { memoryServices } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { dropReadModels } from '../system/stores/drop-read-models.ts';
import { nonePending, submitBatches } from './many-batches.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

const agentIds = ['plain', 'editor', 'batches'];
const database = 'mneme_memory';

let system: System;
let operations: readonly string[];
let before: Snapshot;

beforeAll(async () => {
  system = await startSystem({
    processes: 'each',
    services: memoryServices,
    environment: { MONGODB_DATABASE: database },
  });
  operations = await storeMuch();
  before = await takeSnapshot(system.http, agentIds, operations);
  return system.stop;
});

test('read models that were dropped are rebuilt from the log, the same to the last id', async () => {
  const query = system.service('memory-query');
  await query.kill();
  await dropReadModels(system, database);
  await query.start();
  await becomes(before);
});

test.runIf(atFullLength)('a restart of all services and servers keeps everything', async () => {
  const { nats, mongod, qdrant } = system.stack.servers;
  await Promise.all([nats.restart(), mongod.restart(), qdrant.restart()]);
  await system.restartServices();
  await becomes(before);
  expect(before.units.map(({ total }) => total)).toEqual([4, 2, 40]);
});

/** Every kind of event: batches, documents replaced, appended to and deleted, units corrected and forgotten, agents changed. */
async function storeMuch(): Promise<readonly string[]> {
  const { http } = system;
  const store = (agent_id: string, contents: string[], document_id: string | null = null) => {
    return http.post('/api/memories/batch', { agent_id, document_id, items: contents.map((content) => ({ content })) });
  };
  await store('plain', ['Alice holds lemons.', 'Bob holds limes.', 'Carol holds pears.']);
  const { body } = await http.get('/api/list?agent_id=plain&q=Bob');
  await http.delete(`/api/memory/${body.items[0].id}`);
  await store('plain', ['Dora holds figs. Emil holds dates. Fritz holds olives.']);
  for (const [word, text] of [
    ['figs', 'Dora holds melons.'],
    ['melons', 'Dora holds cherries.'],
    ['olives', 'Alice holds olives.'],
  ]) {
    const found = await http.get(`/api/list?agent_id=plain&q=${word}`);
    await http.patch(`/api/memory/${found.body.items[0].id}`, { text });
  }
  const dates = await http.get('/api/list?agent_id=plain&q=dates');
  await http.delete(`/api/memory/${dates.body.items[0].id}`);
  await store('editor', ['Dana holds lemons.', 'Emil holds nothing.'], 'diary');
  await store('editor', ['Dana holds lemons again.'], 'diary');
  const metadata = { page: 2, tags: ['fruit'] };
  const turn = { agent_id: 'editor', document_id: 'diary', mode: 'append' };
  await http.post('/api/memories/batch', { ...turn, items: [{ content: 'Gus holds figs.', role: 'user', metadata }] });
  await store('editor', ['Fred holds plums.'], 'gone');
  await http.delete('/api/documents/gone?agent_id=editor');
  await http.put('/api/agents/editor', { background: 'I write.' });
  const submitted = await submitBatches(http, { agentId: 'batches', count: 40 });
  await nonePending(http, 'batches');
  return submitted;
}

/** Shows the difference when the time is over. */
async function becomes(expected: Snapshot): Promise<void> {
  const take = () => takeSnapshot(system.http, agentIds, operations);
  const isSame = async () => JSON.stringify(await take()) === JSON.stringify(expected);
  await eventually('everything reads as before', isSame, 20_000).catch(() => undefined);
  expect(await take()).toEqual(expected);
}
