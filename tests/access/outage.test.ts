import { randomUUID } from 'node:crypto';
import type { CreatedKeyReply } from '@mneme/contracts';
import { atFullLength, scaled } from '@mneme/local-stack/testing';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { createKey, keysOf, newPerson, type Person, useKey } from '../system/person.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { tokenOf } from '../system/tokens.ts';

const path = '/api/v3/api-keys';
const creates = scaled({ full: 200, short: 45 });
const clientPatienceMs = 3_000;

let system: System;
let ana: Person;
beforeAll(async () => {
  system = await startSystem({ processes: 'each' });
  return system.stop;
});
beforeEach(async () => {
  ana = await newPerson(system.http);
});

test('kill -9 of keys in the middle of many creates: each acknowledged key works and is listed once', async () => {
  const service = system.service('keys');
  const acknowledged: CreatedKeyReply[] = [];
  let restarted: Promise<void> | undefined;
  const onAcknowledged = (created: CreatedKeyReply) => {
    acknowledged.push(created);
    if (acknowledged.length === 30) restarted = service.kill().then(() => service.start());
  };
  let next = 0;
  const createOn = async () => {
    for (let index = next++; index < creates; index = next++)
      onAcknowledged(await createUntilAcknowledged(`Key ${index}`));
  };
  await Promise.all(Array.from({ length: 16 }, createOn));
  await restarted;
  expect(restarted).toBeDefined();
  const statuses = await Promise.all(acknowledged.map(({ key }) => useKey(system.http, key)));
  expect(statuses).toEqual(Array(creates).fill(200));
  const listed = await keysOf(ana);
  expect(listed.map(({ id }) => id).sort()).toEqual(acknowledged.map(({ id }) => id).sort());
  expect(new Set(listed.map(({ name }) => name)).size).toBe(creates);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(creates);
});

/** As a client does that gives up after a while and sends its request again, under one Idempotency-Key. */
function createUntilAcknowledged(name: string): Promise<CreatedKeyReply> {
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      authorization: `Bearer ${tokenOf(ana.userId)}`,
    },
    body: JSON.stringify({ name, project_id: ana.projectId }),
  };
  return eventually(`${name} is created`, async () => {
    const signal = AbortSignal.timeout(clientPatienceMs);
    const { status, body } = await system.http.send<CreatedKeyReply>(path, { ...request, signal });
    if (status === 201) return body;
    throw new Error(`${status} ${JSON.stringify(body)}`);
  });
}

describe('while keys is away', () => {
  test('keys and users that exist get to their memory, and the rest is 503 that says when to come again', async () => {
    const { key } = await createKey(ana);
    const { body: team } = await ana.http.post('/api/v3/spaces', { name: 'Team', type: 'team' });
    const service = system.service('keys');
    await service.kill();
    try {
      const inTeam = ana.http.with({ 'x-space-id': String(team.id) });
      for (const http of [system.http.as(key), ana.http, inTeam, system.http]) {
        const batch = { agent_id: 'a', items: [{ content: 'Alice moved to Lisbon.' }] };
        expect((await http.post('/api/memories/batch', batch)).status).toBe(200);
        expect((await http.get('/api/list')).body.total).toBe(1);
      }
      expect((await ana.http.with({ 'x-space-id': '987654321' }).get('/api/list')).status).toBe(403);
      expect(await useKey(system.http, `sk-${'0'.repeat(32)}`)).toBe(401);
      await expectUnavailable();
      expect(await system.http.get('/readyz')).toMatchObject({
        status: 503,
        body: { checks: { keys: 'unavailable' } },
      });
    } finally {
      await service.start();
    }
    expect((await ana.http.get('/api/v3/me')).status).toBe(200);
  });
});

async function expectUnavailable(): Promise<void> {
  const of = `?project_id=${ana.projectId}`;
  const body = { project_id: ana.projectId };
  const answers = await Promise.all([
    ana.http.get('/api/v3/me'),
    ana.http.get('/api/v3/spaces'),
    ana.http.post('/api/v3/spaces', { name: 'Late', type: 'team' }),
    ana.http.get('/api/v3/projects'),
    ana.http.post('/api/v3/projects', { name: 'Late', space_id: ana.spaceId }),
    ana.http.get(`${path}${of}`),
    ana.http.post(path, { ...body, name: 'Late' }),
    ana.http.patch(`${path}/1`, body),
    ana.http.delete(`${path}/1${of}`),
    ana.http.post(`${path}/1/regenerate`, body),
    // No one knows yet where this user's memory belongs.
    system.http.as(tokenOf(777)).get('/api/list'),
  ]);
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
}

test.runIf(atFullLength)('a kill -9 of everything, servers included, loses no user, key or change', async () => {
  const { id, key } = await createKey(ana, { rate_limit: 50 });
  const other = await createKey(ana);
  await ana.http.patch(`${path}/${id}`, { project_id: ana.projectId, name: 'Renamed', is_active: false });
  await ana.http.delete(`${path}/${other.id}?project_id=${ana.projectId}`);
  const [me, listed] = [(await ana.http.get('/api/v3/me')).body, await keysOf(ana)];
  const { nats, mongod } = system.stack.servers;
  await Promise.all([nats.restart(), mongod.restart()]);
  await system.restartServices();
  expect((await ana.http.get('/api/v3/me')).body).toEqual(me);
  expect(await keysOf(ana)).toEqual(listed);
  for (const gone of [key, other.key]) expect(await useKey(system.http, gone)).toBe(401);
  expect((await createKey(ana)).id).toBeGreaterThan(other.id);
});
