import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { serviceNames } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { placesOf } from '../system/stores/store-search.ts';
import { tokenOf } from '../system/tokens.ts';

const keysPath = '/api/v3/api-keys';
const database = 'mneme_leaks';

let system: System;
/** Every answer with its headers, as text. */
const replies: string[] = [];
beforeAll(async () => {
  system = await startSystem({ processes: 'each', environment: { LOG_LEVEL: 'trace', MONGODB_DATABASE: database } });
  return system.stop;
});

type Send = (
  method: string,
  path: string,
  options?: { headers?: Record<string, string>; body?: unknown },
) => Promise<SentAnswer>;
interface SentAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: looked at field by field.
  readonly body: any;
}

/** Sends, and keeps what comes back. */
function recording(http: HttpClient): Send {
  return async (method, path, { headers = {}, body } = {}) => {
    const fields = { 'content-type': 'application/json', ...headers };
    const request = body === undefined ? { method, headers } : { method, headers: fields, body: JSON.stringify(body) };
    const answer = await http.send(path, request);
    replies.push(JSON.stringify([path, answer.status, [...answer.headers], answer.body]).replace(path, ''));
    return answer;
  };
}

test('the whole key is in the replies to create and regenerate, and nowhere else', async () => {
  const send = recording(system.http);
  const user = { headers: { authorization: `Bearer ${tokenOf(7)}` } };
  const { body: me } = await send('GET', '/api/v3/me', user);
  const project_id: number = me.spaces[0].projects[0].id;
  const created = await send('POST', keysPath, {
    headers: { ...user.headers, 'idempotency-key': randomUUID() },
    body: { name: 'Secret', project_id, rate_limit: 5 },
  });
  expect(created.status).toBe(201);
  const { id, key: first } = created.body;
  await useInEveryWay(send, first);
  await send('PATCH', `${keysPath}/${id}`, { ...user, body: { project_id, name: 'Secret still' } });
  const regenerated = await send('POST', `${keysPath}/${id}/regenerate`, {
    headers: { ...user.headers, 'idempotency-key': randomUUID() },
    body: { project_id },
  });
  const second: string = regenerated.body.key;
  await useInEveryWay(send, first);
  await useInEveryWay(send, second);
  await send('GET', `${keysPath}?project_id=${project_id}`, user);
  await send('DELETE', `${keysPath}/${id}?project_id=${project_id}`, user);
  await useInEveryWay(send, second);

  for (const key of [first, second]) {
    // The hash is in the log, the bucket and the read model, so that the absence of the key means something.
    const hash = createHash('sha256').update(key).digest('hex');
    const kinds = (await placesOf(hash, system.stack)).map((place) => place.split(':')[0]);
    expect(kinds).toEqual(expect.arrayContaining(['ACCESS', 'KV_api-keys']));
    // Its digits, whatever stands before them.
    const digits = key.slice(3);
    expect(await placesOf(digits, system.stack)).toEqual([]);
    expect(replies.filter((reply) => reply.includes(digits))).toHaveLength(1);
    for (const name of serviceNames) {
      const service = system.service(name);
      expect(service.output(), name).not.toBe('');
      expect(service.output().includes(digits), `the log of ${name}`).toBe(false);
      const metrics = await (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text();
      expect(metrics.includes(digits), `the metrics of ${name}`).toBe(false);
    }
  }
});

/** As it is meant to be used, and in each way in which somebody might use it by mistake. */
async function useInEveryWay(send: Send, key: string): Promise<void> {
  const bearer = { authorization: `Bearer ${key}` };
  const batch = { agent_id: 'a', items: [{ content: 'Alice moved to Lisbon.' }] };
  await send('GET', '/api/agents', { headers: bearer });
  await send('GET', '/api/agents', { headers: { 'x-api-key': key } });
  await send('POST', '/api/memories/batch', { headers: bearer, body: batch });
  await send('POST', '/api/search', { headers: bearer, body: { query: 7 } });
  await send('GET', '/api/v3/me', { headers: bearer });
  await send('POST', keysPath, { headers: bearer, body: {} });
  await send('GET', '/api/agents', { headers: { authorization: `Basic ${key}` } });
  await send('GET', '/api/agents', { headers: { authorization: key } });
  await send('GET', '/api/agents', { headers: { 'x-api-key': `${key}0` } });
  await send('GET', '/api/agents', { headers: { 'x-api-key': key, authorization: `Bearer sk-${'0'.repeat(32)}` } });
  await send('GET', `/api/list?api_key=${key}`);
  await send('GET', `/api/list?limit=${key}`);
  await send('GET', `/api/nothing/${key}`);
  await send('PUT', `/api/list/${key}`);
  await send('GET', `/api/agents`, { headers: { cookie: `key=${key}`, referer: `http://a.example/?key=${key}` } });
  await send('PATCH', `${keysPath}/${key}`, {
    headers: { authorization: `Bearer ${tokenOf(7)}` },
    body: { project_id: 1 },
  });
  await send('GET', `${keysPath}?project_id=${key}`, { headers: { authorization: `Bearer ${tokenOf(7)}` } });
}
