import type { AgentList, Graph, ThinkReply, UnitList } from '@mneme/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { oneOpinion, type SharedModelSystem, shareModelSystem } from '../models/model-system.ts';
import type { HttpClient } from '../system/http-client.ts';
import { createKey, newPerson, type Person } from '../system/person.ts';
import type { EventLog } from '../system/stores/event-log.ts';
import { type MemoryRouteName, memoryRouteNames, requestMemory, routesById, type Target } from './memory-requests.ts';
import { failOperation, remember, shownBy, type TwinSpace, targetIn } from './twin-spaces.ts';

let fixture: SharedModelSystem;
let log: EventLog;
let ana: Person;
let space: TwinSpace;
let kept: Target;
beforeAll(async () => {
  fixture = await shareModelSystem();
  log = await fixture.system.openLog();
  ana = await newPerson(fixture.system.http);
  space = { name: String(ana.spaceId), word: 'quokka', http: ana.http };
  await Promise.all([remember(space, 'kept'), remember(space, 'other')]);
  kept = await targetIn(space, 'kept', await failOperation(fixture.system, space, 'kept'));
  return fixture.release;
});

const clients = new Map<string, Promise<HttpClient>>();

/** With a key like this, one for all tests. */
function clientWith(fields: object): Promise<HttpClient> {
  const found = clients.get(JSON.stringify(fields));
  const client = found ?? createKey(ana, fields).then(({ key }) => fixture.system.http.as(key));
  clients.set(JSON.stringify(fields), client);
  return client;
}

/** The unit of a target is no opinion, so its history is not found. */
function statusWhenLet(route: MemoryRouteName): number {
  return route === 'opinionHistory' ? 404 : 200;
}

test('a key that may only read thinks, and nothing that comes of it is stored', async () => {
  const belief = 'I believe that Alice enjoys Lisbon.';
  const question = { agent_id: 'other', query: 'Does Alice like Lisbon?' };
  fixture.model.replies.always('opinions', oneOpinion(belief));
  const before = await shownBy(space, 'other');
  const reader = await clientWith({ scopes: ['memory:read'] });
  const answer = await reader.post<ThinkReply>('/api/think', question);
  expect(answer).toMatchObject({ status: 200, body: { text: expect.any(String), new_opinions: [] } });
  expect(answer.body.based_on.length).toBeGreaterThan(0);
  expect(await shownBy(space, 'other')).toEqual(before);
  const writer = await clientWith({ scopes: ['memory:write'] });
  const stored = await writer.post<ThinkReply>('/api/think', question);
  expect(stored.body.new_opinions).toEqual([belief]);
  fixture.model.reset();
});

describe('a key bound to an agent', () => {
  const bound = () => clientWith({ agent_id: 'other' });

  test.each(routesById)('is not let do %s with what another has', async (route) => {
    const head = await log.head();
    const { status } = await requestMemory(await bound(), route, kept);
    // Of what is named by an id alone it may be said that there is no such thing.
    expect([403, 404]).toContain(status);
    expect(await log.head()).toBe(head);
  });

  test('sees that agent alone in every list', async () => {
    const http = await bound();
    const { body: agents } = await http.get<AgentList>('/api/agents');
    expect(agents.agents.map(({ agent_id }) => agent_id)).toEqual(['other']);
    const { body: units } = await http.get<UnitList>('/api/list');
    const { body: own } = await ana.http.get<UnitList>('/api/list?agent_id=other');
    expect(units).toEqual(own);
    const { body: graph } = await http.get<Graph>('/api/graph');
    expect(graph.total_units).toBe(own.total);
    const ids = new Set(own.items.map(({ id }) => id));
    expect(graph.nodes.filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  test('does with its own what its scopes allow', async () => {
    const http = await bound();
    expect((await http.get('/api/stats/other')).status).toBe(200);
    const items = [{ content: 'Dana walks in the park.' }];
    expect((await http.post('/api/memories/batch', { agent_id: 'other', items })).status).toBe(200);
    const { body } = await http.get<UnitList>('/api/list?q=Dana');
    expect((await http.delete(`/api/memory/${body.items[0]?.id}`)).status).toBe(200);
    const reader = await clientWith({ agent_id: 'other', scopes: ['memory:read'] });
    expect((await reader.put('/api/agents/other', {})).status).toBe(403);
  });
});

/** Last, since they change and end the agent; a retried operation can be cancelled, an erased agent not be read. */
test.each([['memory:write'], ['*']])('a key with the scope %s is let do everything', async (scope) => {
  const http = await clientWith({ scopes: [scope, 'unheard-of'] });
  const agentId = `own-${scope.length}`;
  await remember(space, agentId);
  const target = await targetIn(space, agentId, await failOperation(fixture.system, space, agentId));
  const last: MemoryRouteName[] = ['retryOperation', 'cancelOperation', 'forgetUnit', 'deleteDocument', 'eraseAgent'];
  const order = [...memoryRouteNames.filter((route) => !last.includes(route)), ...last];
  const statuses = new Map<string, number>();
  for (const route of order) {
    const aim = route === 'deleteDocument' ? { ...target, documentId: 'diary' } : target;
    statuses.set(route, (await requestMemory(http, route, aim)).status);
  }
  expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(order.map((route) => [route, statusWhenLet(route)])));
});
