import { memorySubjects, type UnitList } from '@mneme/contracts';
import { MongoClient } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { mneme } from '../system/mneme-command.ts';
import { neighbourOf } from '../system/neighbour.ts';
import { createKey, newPerson, type Person } from '../system/person.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { type EventLog, openEventLog } from '../system/stores/event-log.ts';
import { takeSnapshot } from './snapshot.ts';

let system: System;
let log: EventLog;

beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  log = await openEventLog(system.stack.natsUrl);
  return async () => {
    await log.close();
    await system.stop();
  };
});

const store = (agent_id: string, content: string) =>
  system.http.post('/api/memories/batch', { agent_id, items: [{ content }] });

const unreadable = ['FactsExtracted', { nonsense: true }] as const;

test.each([
  ['cannot be read', ...unreadable],
  ['is of a type that no one knows', 'SomethingNew', {}],
])('an event that %s holds up only its own agent', async (what, type, data) => {
  const agentId = `poisoned-${type}`;
  const neighbour = neighbourOf(agentId);
  expect((await store(agentId, 'Alice holds lemons.')).status).toBe(200);
  await log.append(memorySubjects.agent({ space: 'public', agentId }), type, data);
  const begin = performance.now();
  expect((await store(neighbour, 'Bob holds limes.')).status).toBe(200);
  expect(performance.now() - begin).toBeLessThan(5_000);
  expect((await store('somebody-else', `Carol says that ${what}.`)).status).toBe(200);
  const refused = await eventually('the agent is answered 503', async () => {
    const answer = await system.http.get(`/api/list?agent_id=${agentId}`);
    return answer.status === 503 && answer;
  });
  expect(refused.body).toMatchObject({ code: 'READ_MODEL_BEHIND', message: expect.stringContaining(type) });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  for (const path of ['/api/list', '/api/graph', '/api/agents']) {
    const { status, headers } = await system.http.get(path);
    expect([path, status, headers.get('x-as-of-position')]).toEqual([path, 200, expect.stringMatching(/^MEMORY:\d+$/)]);
  }
  const ofNeighbour = await system.http.get(`/api/list?agent_id=${neighbour}`);
  expect([ofNeighbour.body.total, ofNeighbour.headers.get('x-as-of-position')]).toEqual([1, null]);
  const ready = await system.http.get('/readyz');
  expect([ready.status, ready.body.waiting]).toEqual([200, { 'memory-query': expect.any(Number) }]);
  expect((await mneme(system, 'dead-letters')).output).toMatch(new RegExp(`\\t${type}\\t`));
  const counted = /mneme_read_model_dead_letters\{[^}]*read_model="memory"[^}]*\} [1-9]/;
  await eventually('the metrics show it', async () => counted.test((await system.http.get<string>('/metrics')).body));
});

test.each(['FactsExtracted', 'SomethingNew'])(
  'when the %s is discarded, all is as if it had never been',
  async (type) => {
    const agentId = `poisoned-${type}`;
    const late = ['Erin bakes bread.', 'Erin sails to Porto.'];
    for (const content of late) {
      const body = { agent_id: agentId, items: [{ content }] };
      expect((await system.http.post('/api/memories/batch_async', body)).status).toBe(200);
    }
    const lines = (await mneme(system, 'dead-letters')).output.split('\n');
    const sequence = lines.find((line) => line.includes(`\t${type}\t`))?.split('\t')[0] ?? '';
    expect((await mneme(system, 'dead-letters', 'discard', sequence)).output).toContain(sequence);
    const list = await eventually('what came after it is applied', async () => {
      const { status, body } = await system.http.get(`/api/list?agent_id=${agentId}`);
      return status === 200 && body.total === 3 && body;
    });
    expect(list.items.map(({ text }: { text: string }) => text).sort()).toEqual(
      ['Alice holds lemons.', ...late].sort(),
    );
    // The same batches of an agent without the accident.
    const twin = `twin-${type}`;
    for (const content of ['Alice holds lemons.', ...late]) expect((await store(twin, content)).status).toBe(200);
    expect(await shapeOf(agentId)).toEqual(await shapeOf(twin));
  },
);

test('an agent that waits is erased all the same, and starts anew', async () => {
  const agentId = 'erased';
  expect((await store(agentId, 'Alice holds lemons.')).status).toBe(200);
  await log.append(memorySubjects.agent({ space: 'public', agentId }), ...unreadable);
  await eventually(
    'the agent waits',
    async () => (await system.http.get(`/api/list?agent_id=${agentId}`)).status === 503,
  );
  const erased = await system.http.delete(`/api/agents/${agentId}`);
  expect([200, 503]).toContain(erased.status);
  await eventually('the agent is there again', async () => (await store(agentId, 'Dana holds pears.')).status === 200);
  expect((await system.http.get(`/api/list?agent_id=${agentId}`)).body.total).toBe(1);
});

/** What can be read of an agent, but ids and times. */
async function shapeOf(agentId: string) {
  const [list, stats, graph] = await Promise.all([
    system.http.get(`/api/list?agent_id=${agentId}`),
    system.http.get(`/api/stats/${agentId}`),
    system.http.get(`/api/graph?agent_id=${agentId}`),
  ]);
  const { agent_id: _, ...counts } = stats.body;
  const facts = list.body.items.map((item: UnitList['items'][number]) => `${item.text} (${item.fact_type})`);
  return { facts, counts, edges: graph.body.edges.length };
}

/** Makes MongoDB refuse units whose text holds a word, until it is told otherwise. */
async function refuseUnitsWith(word: string): Promise<{ relent(): Promise<void> }> {
  const mongo = await new MongoClient(system.stack.mongodbUrl).connect();
  const { databases } = await mongo.db().admin().listDatabases();
  const found = await Promise.all(
    databases.map(async ({ name }) => {
      const names = await mongo.db(name).listCollections({ name: /units/ }, { nameOnly: true }).toArray();
      return names.map((collection) => ({ db: mongo.db(name), name: collection.name }));
    }),
  );
  const setValidator = (validator: object) =>
    Promise.all(found.flat().map(({ db, name }) => db.command({ collMod: name, validator })));
  await setValidator({ text: { $not: new RegExp(word) } });
  return {
    relent: async () => {
      await setValidator({});
      await mongo.close();
    },
  };
}

test('what had to be given up is applied by `mneme dead-letters retry`, with what came after it', async () => {
  const agentId = 'refused';
  const neighbour = neighbourOf(agentId);
  await store(agentId, 'Erin keeps bees in Porto.');
  const refusing = await refuseUnitsWith('Zwieback');
  const late = ['Erin bakes Zwieback for Frank.', 'Frank eats with Erin in Porto.', 'Frank praises the bees.'];
  for (const content of late) {
    const body = { agent_id: agentId, items: [{ content }] };
    expect((await system.http.post('/api/memories/batch_async', body)).status).toBe(200);
  }
  expect((await store(neighbour, 'Gina holds limes.')).status).toBe(200);
  const listed = await eventually('the dead letter is there', async () => {
    const lines = (await mneme(system, 'dead-letters')).output
      .split('\n')
      .filter((line) => line.includes('MongoDB refused a write: Document failed validation'));
    return lines.length === 1 && lines[0];
  });
  const sequence = listed.split('\t')[0] ?? '';
  expect(listed).toContain('FactsExtracted');
  expect((await system.http.get(`/api/list?agent_id=${agentId}`)).body.code).toBe('READ_MODEL_BEHIND');
  expect((await mneme(system, 'dead-letters', 'retry', sequence)).output).toContain('stays a dead letter.');

  await refusing.relent();
  expect((await mneme(system, 'dead-letters', 'retry', sequence)).output).toContain(
    'was applied, with what had waited for it',
  );
  const take = async () => ({
    ...(await takeSnapshot(system.http, [agentId, neighbour], [])),
    // In a new version the other agents wait again: what was discarded is tried once more.
    agents: undefined,
    graph: (await system.http.get(`/api/graph?agent_id=${agentId}`)).body,
  });
  const retried = await take();
  expect(retried.units[0]?.items.map(({ text }) => text).sort()).toEqual(['Erin keeps bees in Porto.', ...late].sort());
  // From the same log, without the accident.
  expect((await mneme(system, 'rebuild', 'memory')).output).toContain('"version": 2');
  await eventually('the new version answers', async () =>
    /memory@2\tlive/.test((await mneme(system, 'read-models')).output),
  );
  expect(await take()).toEqual(retried);
});

/** Of keys, and of the numbers of keys; last, since no key can be created afterwards. */
describe('an event about keys that cannot be read', () => {
  const keys = '/api/v3/api-keys';
  let access: EventLog;
  let ana: Person;
  let bob: Person;
  beforeAll(async () => {
    access = await openEventLog(system.stack.natsUrl, 'ACCESS');
    ana = await newPerson(system.http);
    bob = await newPerson(system.http);
    return access.close;
  });

  test('makes commands about its key, and new keys, 503, which name it', async () => {
    const { id } = await createKey(ana);
    await access.append(`access.key.${id}`, 'SomethingUnheardOf', {});
    const project_id = ana.projectId;
    const [updated, deleted, regenerated] = await Promise.all([
      ana.http.patch(`${keys}/${id}`, { project_id, name: 'Other' }),
      ana.http.delete(`${keys}/${id}?project_id=${project_id}`),
      ana.http.post(`${keys}/${id}/regenerate`, { project_id }),
    ]);
    const message = expect.stringMatching(/^The message at ACCESS:\d+ cannot be read: .*docs\/dead-letters\.md/);
    for (const refused of [updated, deleted, regenerated])
      expect(refused).toMatchObject({ status: 503, body: { code: 'READ_MODEL_BEHIND', message } });
    await access.append('access.numbers.key', 'SomethingUnheardOf', {});
    const created = await ana.http.post(keys, { project_id, name: 'Another' });
    const first = await bob.http.post(keys, { project_id: bob.projectId, name: 'First' });
    for (const refused of [created, first])
      expect(refused).toMatchObject({ status: 503, body: { code: 'READ_MODEL_BEHIND', message } });
  });

  test('makes a list with its key say so', async () => {
    const listed = await ana.http.get(`${keys}?project_id=${ana.projectId}`);
    expect(listed).toMatchObject({ status: 503, body: { code: 'READ_MODEL_BEHIND' } });
  });
});
