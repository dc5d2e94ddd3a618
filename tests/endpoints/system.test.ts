import { beforeAll, expect, test } from 'vitest';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

let system: SharedSystem;
beforeAll(async () => {
  system = await shareSystem();
  return system.release;
});

test('/healthz and /readyz say that all is well', async () => {
  expect(await system.http.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  const { status, body } = await system.http.get('/readyz');
  expect(status).toBe(200);
  expect(body.checks).toMatchObject({ nats: 'ok', keys: 'ok', 'memory-ingest': 'ok', 'memory-query': 'ok' });
});

test('/metrics is in the format of Prometheus and has no series per path of a caller', async () => {
  await system.http.get('/api/stats/a-very-special-agent');
  const { status, body, headers } = await system.http.get<string>('/metrics');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/plain');
  expect(body).toMatch(/^mneme_http_request_duration_seconds_count\{.*route="\/api\/stats\/\{agent_id\}".*\} [1-9]/m);
  expect(body).not.toContain('a-very-special-agent');
});

const paths = {
  '/api/memories/batch': ['post'],
  '/api/memories/batch_async': ['post'],
  '/api/search': ['post'],
  '/api/list': ['get'],
  '/api/documents': ['get'],
  '/api/documents/{document_id}': ['get', 'delete'],
  '/api/operations/{agent_id}': ['get', 'delete'],
  '/api/operations/{id}/status': ['get'],
  '/api/memory/{unit_id}': ['delete'],
  '/api/agents': ['get'],
  '/api/agents/{agent_id}': ['put'],
  '/api/agents/{agent_id}/profile': ['get', 'put'],
  '/api/stats/{agent_id}': ['get'],
  '/api/v3/me': ['get'],
  '/api/v3/spaces': ['get', 'post'],
  '/api/v3/projects': ['get', 'post'],
  '/api/v3/api-keys': ['get', 'post'],
  '/api/v3/api-keys/{id}': ['patch', 'delete'],
  '/api/v3/api-keys/{id}/regenerate': ['post'],
};

test('/openapi.json describes every call', async () => {
  const { status, body } = await system.http.get('/openapi.json');
  expect(status).toBe(200);
  expect(body.openapi).toMatch(/^3\.1\./);
  expect(body.info.version).toBe('1.0.0');
  const nameless = (path: string) => path.replace(/\{\w+\}/g, '{}');
  const described = new Map<string, string[]>();
  for (const [path, calls] of Object.entries<object>(body.paths)) {
    described.set(nameless(path), [...(described.get(nameless(path)) ?? []), ...Object.keys(calls)]);
  }
  for (const [path, methods] of Object.entries(paths)) {
    expect(described.get(nameless(path)), path).toEqual(expect.arrayContaining(methods));
  }
});

test('/openapi.json says who each call is for', async () => {
  const { body } = await system.http.get('/openapi.json');
  const { securitySchemes } = body.components;
  const schemesOf = (path: string, method: string): string[] =>
    (body.paths[path][method].security ?? []).flatMap((each: object) => Object.keys(each));
  const ofKeys = Object.keys(securitySchemes).filter((name) => securitySchemes[name].type === 'apiKey');
  expect(Object.values(securitySchemes)).toContainEqual(expect.objectContaining({ type: 'http', scheme: 'bearer' }));
  expect(schemesOf('/api/search', 'post')).toEqual(expect.arrayContaining(ofKeys));
  expect(schemesOf('/api/v3/api-keys', 'get').length).toBeGreaterThan(0);
  expect(schemesOf('/api/v3/api-keys', 'get').filter((name) => ofKeys.includes(name))).toEqual([]);
  expect(schemesOf('/healthz', 'get')).toEqual([]);
});

test('/docs and / are pages that need no other address', async () => {
  for (const path of ['/docs', '/']) {
    const { status, body, headers } = await system.http.get<string>(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/html');
    expect(body).not.toMatch(/(src|href)=["']?(https?:)?\/\//);
  }
});

test('answers carry a request id and the usual safe headers; other origins are told nothing', async () => {
  const { headers } = await system.http.get('/api/agents', { origin: 'https://elsewhere.example' });
  expect(headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('access-control-allow-origin')).toBeNull();
});
