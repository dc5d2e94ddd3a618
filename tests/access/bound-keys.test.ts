import type { AgentList, BatchPutReply, Graph, UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { createKey, newPerson, type Person } from '../system/person.ts';
import { shareSystem } from '../system/shared-system.ts';
import type { EventLog } from '../system/stores/event-log.ts';
import { requestMemory, routesById, type Target } from './memory-requests.ts';
import { failOperation, remember, targetIn } from './twin-spaces.ts';

let log: EventLog;
let ana: Person;
let kept: Target;
let bound: HttpClient;
beforeAll(async () => {
  const system = await shareSystem();
  log = await system.openLog();
  ana = await newPerson(system.http);
  const space = { name: String(ana.spaceId), word: 'quokka', http: ana.http };
  await Promise.all([remember(space, 'kept'), remember(space, 'other')]);
  kept = await targetIn(space, 'kept', await failOperation(system, space, 'kept'));
  bound = system.http.as((await createKey(ana, { agent_id: 'other' })).key);
  return system.release;
});

test.each(routesById)('a key bound to an agent is not let do %s with what another has', async (route) => {
  const head = await log.head();
  const { status } = await requestMemory(bound, route, kept);
  // Of what is named by an id alone it may be said that there is no such thing.
  expect([403, 404]).toContain(status);
  expect(await log.head()).toBe(head);
});

test('a key bound to an agent forgets what that one has', async () => {
  const batch = { agent_id: 'other', items: [{ content: 'A quokka hides.' }] };
  const { body } = await bound.post<BatchPutReply>('/api/memories/batch', batch);
  const unit = body.items[0]?.units[0]?.id;
  expect((await bound.delete(`/api/memory/${unit}`)).status).toBe(200);
});

test('a key bound to an agent sees that one alone in every list', async () => {
  const { body: agents } = await bound.get<AgentList>('/api/agents');
  expect(agents.agents.map(({ agent_id }) => agent_id)).toEqual(['other']);
  const { body: units } = await bound.get<UnitList>('/api/list');
  const { body: own } = await ana.http.get<UnitList>('/api/list?agent_id=other');
  expect(units).toEqual(own);
  const { body: graph } = await bound.get<Graph>('/api/graph');
  expect(graph.total_units).toBe(own.total);
  const ids = new Set(own.items.map(({ id }) => id));
  expect(graph.nodes.filter(({ id }) => !ids.has(id))).toEqual([]);
});
