import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { createKey, keyOf, newPerson, type Person, useKey } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';

let system: SharedSystem;
let gateways: readonly HttpClient[];
let ana: Person;
beforeAll(async () => {
  system = await shareSystem();
  gateways = [system.http, (await system.addGateway()).http];
  ana = await newPerson(system.http);
  return system.release;
});

describe('what changes about a key holds from the next request on, at both gateways', () => {
  const change = async (id: number, fields: object) => {
    const { status } = await ana.http.patch(`/api/v3/api-keys/${id}`, { project_id: ana.projectId, ...fields });
    expect(status).toBe(200);
  };

  test('the limit', async () => {
    const { id, key } = await createKey(ana, { rate_limit: 1 });
    expect(await useKey(system.http, key)).toBe(200);
    for (let round = 0; round < 3; round++) {
      await change(id, { rate_limit: 100 });
      for (const http of gateways) expect(await useKey(http, key)).toBe(200);
      await change(id, { rate_limit: 1 });
      for (const http of gateways) expect(await useKey(http, key)).toBe(429);
    }
  });

  test('whether it is active, and what it may do', async () => {
    const { id, key } = await createKey(ana);
    for (let round = 0; round < 4; round++) {
      for (const http of gateways) expect(await useKey(http, key)).toBe(200);
      await change(id, { is_active: false });
      for (const http of gateways) expect(await useKey(http, key)).toBe(401);
      await change(id, { is_active: true, scopes: [] });
      for (const http of gateways) expect(await useKey(http, key)).toBe(403);
      await change(id, { scopes: ['*'] });
    }
  });

  test('its replacement, and its end', async () => {
    const { id, ...first } = await createKey(ana);
    let key = first.key;
    const path = `/api/v3/api-keys/${id}`;
    for (let round = 0; round < 5; round++) {
      for (const http of gateways) expect(await useKey(http, key)).toBe(200);
      const { body } = await ana.http.post(`${path}/regenerate`, { project_id: ana.projectId });
      for (const http of gateways) expect(await useKey(http, key)).toBe(401);
      key = body.key;
    }
    await ana.http.delete(`${path}?project_id=${ana.projectId}`);
    for (const http of gateways) expect(await useKey(http, key)).toBe(401);
  });
});

describe('at the same moment', () => {
  const regenerate = (id: number, http: HttpClient) => {
    const asAna = http.as(tokenOf(ana.userId));
    return asAna.post(`/api/v3/api-keys/${id}/regenerate`, { project_id: ana.projectId });
  };
  const works = async (keys: readonly string[]) => {
    const statuses = await Promise.all(keys.flatMap((key) => gateways.map((http) => useKey(http, key))));
    return statuses.map((status) => status === 200);
  };

  test('regenerated twice, exactly one key works afterwards', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, key } = await createKey(ana);
      const answers = await Promise.all(gateways.map((http) => regenerate(id, http)));
      for (const { status } of answers) expect([200, 409]).toContain(status);
      const keys = answers.filter(({ status }) => status === 200).map(({ body }) => body.key);
      expect(keys.length).toBeGreaterThan(0);
      const working = await works(keys);
      expect(working.filter(Boolean)).toHaveLength(gateways.length);
      const [winner] = keys.filter((_, index) => working[index * gateways.length]);
      expect(await works([winner])).toEqual([true, true]);
      expect(await works([key])).toEqual([false, false]);
      expect((await keyOf(ana, id)).key_prefix).toBe(winner.slice(0, 7));
    }
  });

  test('deleted and regenerated, none works', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, key } = await createKey(ana);
      const [made, ended] = await Promise.all([
        regenerate(id, system.http),
        ana.http.delete(`/api/v3/api-keys/${id}?project_id=${ana.projectId}`),
      ]);
      expect(ended.status).toBe(200);
      expect([200, 404, 409]).toContain(made.status);
      const keys = made.status === 200 ? [key, made.body.key] : [key];
      expect(await works(keys)).toEqual(keys.flatMap(() => [false, false]));
      await expect(keyOf(ana, id)).rejects.toThrow(/not listed/);
    }
  });

  test('created by the same request at both gateways, it is one key, which works', async () => {
    for (let round = 0; round < 10; round++) {
      const idempotent = { 'idempotency-key': randomUUID() };
      const request = { name: `Once ${round}`, project_id: ana.projectId };
      const answers = await Promise.all(
        [...gateways, ...gateways].map((http) => {
          return http.as(tokenOf(ana.userId)).post('/api/v3/api-keys', request, idempotent);
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      const keys = new Set<string>(answers.map(({ body }) => body.key));
      expect(keys.size).toBe(1);
      expect(await works([...keys])).toEqual([true, true]);
    }
  });

  test('changed in two ways, both hold or one is told to try again', async () => {
    const { id } = await createKey(ana);
    const path = `/api/v3/api-keys/${id}`;
    const changes = [{ name: 'Renamed' }, { rate_limit: 7 }, { scopes: ['memory:read'] }, { is_active: false }];
    const answers = await Promise.all(
      changes.map((change) => ana.http.patch(path, { project_id: ana.projectId, ...change })),
    );
    const held = changes.filter((_, index) => answers[index]?.status === 200);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(await keyOf(ana, id)).toMatchObject(Object.assign({}, ...held));
  });
});
