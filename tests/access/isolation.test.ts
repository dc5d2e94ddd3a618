import { agentKey, agentKeyOf, memoryRoutes, type Stats } from '@mneme/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { createKey, newPerson, refusal } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import type { EventLog } from '../system/stores/event-log.ts';
import { tokenOf } from '../system/tokens.ts';
import {
  type MemoryRouteName,
  memoryRequests,
  memoryRouteNames,
  requestMemory,
  routesById,
  type Target,
} from './memory-requests.ts';
import {
  failOperation,
  openTwinSpaces,
  remember,
  sharedDocument,
  shownBy,
  type TwinSpace,
  targetIn,
  tracesOf,
  twin,
} from './twin-spaces.ts';

interface Caller {
  readonly name: string;
  readonly space: TwinSpace;
  readonly http: HttpClient;
}

const callerNames = ['a key', 'a user in a team', 'another user', 'anybody'] as const;
/** Each caller ends an agent of the same name in their own space, so each needs one to end. */
const endings: readonly MemoryRouteName[] = ['eraseAgent', 'deleteDocument'];
/** What is named here exists in another space only. */
const missing: readonly MemoryRouteName[] = [...routesById, 'getDocument', 'deleteDocument'];

let system: SharedSystem;
let log: EventLog;
let spaces: readonly TwinSpace[];
let targets: ReadonlyMap<TwinSpace, Target>;
let traces: ReadonlyMap<TwinSpace, readonly string[]>;
let callers: ReadonlyMap<string, Caller>;
beforeAll(async () => {
  system = await shareSystem();
  log = await system.openLog();
  spaces = await openTwinSpaces(system);
  await Promise.all(spaces.map((space) => remember(space, twin)));
  const aimed = spaces.map(async (space) => {
    return [space, await targetIn(space, twin, await failOperation(system, space, twin))] as const;
  });
  targets = new Map(await Promise.all(aimed));
  traces = new Map(await Promise.all(spaces.map(async (space) => [space, await tracesOf(space)] as const)));
  callers = new Map((await openCallers()).map((caller) => [caller.name, caller]));
  return system.release;
});

async function openCallers(): Promise<readonly Caller[]> {
  const [own, team, other, everybody] = spaces as [TwinSpace, TwinSpace, TwinSpace, TwinSpace];
  const { body: project } = await own.http.post('/api/v3/projects', { name: 'Program', space_id: Number(own.name) });
  const { body: issued } = await own.http.post('/api/v3/api-keys', { name: 'Program', project_id: project.id });
  const [key, user, another, anybody] = callerNames;
  return [
    { name: key, space: own, http: system.http.as(issued.key) },
    { name: user, space: team, http: team.http },
    { name: another, space: other, http: other.http },
    { name: anybody, space: everybody, http: everybody.http },
  ];
}

test('every route of the memory area is tried here', () => {
  expect(Object.keys(memoryRequests).sort()).toEqual(Object.keys(memoryRoutes).sort());
});

test('the same memories in several spaces are derived in each as if it were alone', async () => {
  const stats = await Promise.all(spaces.map(async ({ http }) => (await http.get<Stats>(`/api/stats/${twin}`)).body));
  for (const { total_nodes, total_documents, failed_operations, links_by_type } of stats) {
    expect({ total_nodes, total_documents, failed_operations }).toEqual({
      total_nodes: 4,
      total_documents: 2,
      failed_operations: 1,
    });
    // How alike two sentences are depends on their words too, and on nothing of another space.
    expect({ ...links_by_type, semantic: 0 }).toEqual({ temporal: 6, entity: 6, semantic: 0 });
  }
});

describe.each(memoryRouteNames)('%s', (route) => {
  test.each(callerNames)('by %s shows, counts, finds, links and deletes nothing of another space', async (name) => {
    const caller = callers.get(name) as Caller;
    const others = spaces.filter((space) => space !== caller.space);
    const agentId = endings.includes(route) ? await freshAgent(`${route}-${name}`) : twin;
    const [before, head] = [await shownByAll(others, agentId), await log.head()];
    for (const [index, other] of others.entries()) {
      const target = { ...(targets.get(other) as Target), agentId, documentId: `${agentId}-${other.word}` };
      // After the first request the own agent is gone.
      const isMissing = missing.includes(route) || (route === 'eraseAgent' && index > 0);
      await expectOwnAnswer(caller, route, target, isMissing ? 404 : 200);
    }
    const own = { ...(targets.get(caller.space) as Target), agentId, documentId: sharedDocument };
    if (route === 'getDocument' || route === 'deleteDocument') await expectOwnAnswer(caller, route, own, 200);
    if (route === 'putBatchAsync') await nonePending(caller, agentId);
    expect(await shownByAll(others, agentId)).toEqual(before);
    const changed = new Set((await log.after(head)).map(({ subject }) => agentKeyOf(subject)));
    changed.delete(agentKey({ space: caller.space.name, agentId }));
    expect([...changed]).toEqual([]);
  });
});

/** Waits until what was queued is stored, so that it is not counted as pending later. */
function nonePending({ http }: Caller, agentId: string): Promise<boolean> {
  return eventually('nothing is pending', async () => {
    return (await http.get<Stats>(`/api/stats/${agentId}`)).body.pending_operations === 0;
  });
}

/** An agent of one name in all spaces. */
async function freshAgent(name: string): Promise<string> {
  const agentId = name.replaceAll(' ', '-');
  await Promise.all(spaces.map((space) => remember(space, agentId)));
  return agentId;
}

function shownByAll(those: readonly TwinSpace[], agentId: string): Promise<unknown[]> {
  return Promise.all(those.map((space) => shownBy(space, agentId)));
}

/** What the caller has asked for by name may be said back, and nothing else of another space. */
async function expectOwnAnswer(caller: Caller, route: MemoryRouteName, target: Target, status: number): Promise<void> {
  const answer = await requestMemory(caller.http, route, target);
  expect(answer.status).toBe(status);
  expectNoTrace(answer.body, caller.space, target);
}

function expectNoTrace(body: unknown, own: TwinSpace, target: Target): void {
  const asked = [target.unitId, target.operationId, target.documentId];
  const said = asked.reduce((text, name) => text.replaceAll(name, ''), JSON.stringify(body));
  const foreign = spaces.filter((space) => space !== own).flatMap((space) => traces.get(space) ?? []);
  expect(foreign.filter((trace) => said.includes(trace))).toEqual([]);
}

describe('X-Space-Id', () => {
  test.each(memoryRouteNames)('of somebody else, or of no one, is 403 for %s', async (route) => {
    const [own, , other] = spaces as [TwinSpace, TwinSpace, TwinSpace];
    const head = await log.head();
    for (const id of [own.name, '987654321']) {
      const intruder = other.http.with({ 'x-space-id': id });
      const answer = await requestMemory(intruder, route, targets.get(own) as Target);
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
    expect(await log.head()).toBe(head);
  });

  test('moves neither a key nor an anonymous caller into that space', async () => {
    const other = spaces[2] as TwinSpace;
    for (const name of ['a key', 'anybody']) {
      const { http, space } = callers.get(name) as Caller;
      const { status, body } = await http.with({ 'x-space-id': other.name }).get(`/api/list?agent_id=${twin}`);
      expect([200, 400, 401, 403]).toContain(status);
      expectNoTrace(body, space, targets.get(space) as Target);
    }
  });

  test('of an own space, made or joined a moment ago, is let in', async () => {
    const person = await newPerson(system.http);
    const { body } = await person.http.post('/api/v3/spaces', { name: 'New', type: 'team' });
    const inSpace = person.http.with({ 'x-space-id': String(body.id) });
    expect(await inSpace.get('/api/list')).toMatchObject({ status: 200, body: { total: 0 } });
    const personal = person.http.with({ 'x-space-id': String(person.spaceId) });
    expect((await personal.get('/api/list')).status).toBe(200);
  });
});

test('what a user stores without X-Space-Id is in the personal space, for their keys too', async () => {
  const person = await newPerson(system.http);
  const { key } = await createKey(person);
  const batch = { agent_id: 'mine', items: [{ content: 'Crate C1 holds lemons.' }] };
  await person.http.post('/api/memories/batch', batch);
  expect((await system.http.as(key).get('/api/list')).body.total).toBe(1);
  const withHeader = system.http.with({ 'x-api-key': key });
  expect((await withHeader.get('/api/list')).body.total).toBe(1);
  expect(await system.http.as(tokenOf(person.userId)).get('/api/stats/mine')).toMatchObject({
    body: { total_nodes: 1 },
  });
  expect((await system.http.get('/api/list?agent_id=mine')).body.total).toBe(0);
});

test('a key in the space of a project works there, regardless of who made it', async () => {
  const [owner, guest] = [await newPerson(system.http), await newPerson(system.http)];
  const { key } = await createKey(guest, { project_id: owner.projectId });
  const batch = { agent_id: 'shared', items: [{ content: 'Crate C1 holds lemons.' }] };
  await system.http.as(key).post('/api/memories/batch', batch);
  expect((await owner.http.get('/api/list')).body.total).toBe(1);
  expect((await guest.http.get('/api/list')).body.total).toBe(0);
  const intruder = guest.http.with({ 'x-space-id': String(owner.spaceId) });
  expect(await intruder.get('/api/list')).toMatchObject(
    refusal(403, 'FORBIDDEN', (await intruder.get('/api/list')).body.message),
  );
});
