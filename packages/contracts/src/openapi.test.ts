import { describe, expect, it } from 'vitest';
import { callerRoutes } from './access/caller-routes.ts';
import { accessRoutes } from './access/routes.ts';
import type { Route } from './http/route.ts';
import { systemRoutes } from './http/system-routes.ts';
import { memoryExamples } from './memory/examples.ts';
import { memoryRoutes } from './memory/routes.ts';
import { createOpenApi } from './openapi.ts';
import { operatorRoutes } from './operators/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { webhookIntake, webhookRoutes, webhookStreams } from './webhooks/routes.ts';
import { tableRoutes } from './webhooks/table-routes.ts';

const routes: Readonly<Record<string, Route>> = {
  ...memoryRoutes,
  ...accessRoutes,
  ...callerRoutes,
  ...webhookRoutes,
  ...webhookStreams,
  ...webhookIntake,
  ...tableRoutes,
  ...operatorRoutes,
  ...systemRoutes,
  ...sessionRoutes,
};
const written = JSON.parse(JSON.stringify(createOpenApi(routes)));
/** With the shared responses and headers where they are used. */
const document = JSON.parse(JSON.stringify(written), function inline(_key, value) {
  const [, kind, name] = /^#\/components\/(responses|headers)\/(.+)$/.exec(value?.$ref ?? '') ?? [];
  return kind && name ? JSON.parse(JSON.stringify(written.components[kind][name]), inline) : value;
});
const operations = Object.entries(routes).map(([name, route]) => ({
  name,
  route,
  operation: document.paths[route.path][route.method],
}));

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema of any form
type AnySchema = any;

/** All lists within a schema, wherever they stand. */
function listsIn(schema: AnySchema): { maxItems?: number }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (schema.$ref) return listsIn(document.components.schemas[schema.$ref.split('/').at(-1)]);
  const own = schema.type === 'array' ? [schema] : [];
  return [...own, ...Object.values(schema).flatMap(listsIn)];
}

/** Whether a schema, or one within it, refuses fields that it does not name. */
function isClosed(schema: AnySchema): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if (schema.additionalProperties === false) return true;
  if (schema.$ref) return isClosed(document.components.schemas[schema.$ref.split('/').at(-1)]);
  return Object.values(schema).some(isClosed);
}

/** Dates are parsed to another form. */
function withoutDates(body: unknown): object {
  return JSON.parse(JSON.stringify(body, (key, value) => (key === 'event_date' ? undefined : value)));
}

describe('the OpenAPI document', () => {
  it('has no reference that leads nowhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
    const names = new Set(references.map(([, name]) => name));
    expect(names.size).toBeGreaterThan(10);
    for (const name of names) expect(document.components.schemas[name ?? '']).toBeDefined();
  });

  it.each(operations)(
    'describes $name: every parameter of its path, a reply, and its errors',
    ({ name, route, operation }) => {
      expect(operation.operationId).toBe(name);
      expect(operation.summary).not.toBe('');
      const declared = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      const described = (operation.parameters ?? []).filter((parameter: { in: string }) => parameter.in === 'path');
      expect(described.map((parameter: { name: string }) => parameter.name)).toEqual(declared);
      const success = String(route.successStatus ?? 200);
      expect(operation.responses[success].content[route.replyType ?? 'application/json'].schema).toBeDefined();
      const errors = Object.entries<{ content: object }>(operation.responses).filter(([status]) => status !== success);
      for (const [status, { content }] of errors) {
        const isPlain = status === '422' || (name === 'readyz' && status === '503');
        const type = isPlain ? 'application/json' : 'application/problem+json';
        expect(Object.keys(content)).toEqual([type]);
      }
    },
  );

  it.each(operations)('says of $name what is refused before it is known who asks', ({ name, operation }) => {
    const isIntake = name === 'receiveCall';
    const refused = ['400', '408', ...(isIntake ? [] : ['421']), '431'];
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(refused));
    expect('421' in operation.responses).toBe(!isIntake);
  });

  it('says how signing in is refused', () => {
    const statusesOf = (method: string) => Object.keys(document.paths['/api/v3/session'][method].responses);
    const ofAll = ['200', '400', '403', '408', '421', '431'];
    expect(statusesOf('delete')).toEqual(ofAll);
    expect(statusesOf('get')).toEqual([...ofAll, '401', '429'].sort());
    expect(statusesOf('post')).toEqual([...ofAll, '401', '413', '415', '422', '429'].sort());
  });

  it('names the headers of responses', () => {
    const headersOf = (path: string, method: string, status = '200') =>
      Object.keys(document.paths[path][method].responses[status].headers);
    expect(headersOf('/api/search', 'post')).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy']));
    expect(headersOf('/api/memories/batch', 'post')).toContain('Mneme-Ignored-Fields');
    expect(headersOf('/api/stats/{agent_id}', 'get')).toContain('Mneme-Ignored-Fields');
    expect(headersOf('/healthz', 'get')).not.toContain('Mneme-Ignored-Fields');
    expect(headersOf('/api/v3/api-keys', 'post', '201')).toContain('Mneme-Ignored-Fields');
    expect(headersOf('/api/v3/tables/{id}/rows.csv', 'get')).toContain('Content-Disposition');
    expect(headersOf('/api/v3/tables/{id}/rows.json', 'get')).toContain('Content-Disposition');
    const started = operations.filter(({ route }) => route.successStatus === 202);
    expect(started).toHaveLength(3);
    for (const { route } of started) expect(headersOf(route.path, route.method, '202')).toContain('Location');
    for (const { operation } of operations) {
      for (const response of Object.values<{ headers: object }>(operation.responses)) {
        expect(response.headers).toHaveProperty('X-Request-Id');
      }
    }
  });

  it('has the parameter of /readyz', () => {
    const { parameters } = document.paths['/readyz'].get;
    expect(parameters).toContainEqual(expect.objectContaining({ in: 'query', name: 'own' }));
  });

  it('describes what many responses have in common once', () => {
    const { responses } = written.paths['/api/search'].post;
    expect(responses['431']).toEqual({ $ref: '#/components/responses/RequestHeaderFieldsTooLarge' });
    expect(responses['200'].headers['X-Request-Id']).toEqual({ $ref: '#/components/headers/X-Request-Id' });
  });

  it('has a version, and names the server, without its address', () => {
    expect(document.info.version).toBe('1.0.0');
    expect(document.servers).toEqual([{ url: '/', description: expect.any(String) }]);
  });

  it.each(operations.filter(({ name }) => name in memoryRoutes))(
    'has an example of the parameters, the body and the reply of $name that fits its schema',
    ({ name, route, operation }) => {
      for (const parameter of operation.parameters.filter((each: { in: string }) => each.in === 'path'))
        expect([parameter.name, parameter.example ?? parameter.schema.example]).toEqual([
          parameter.name,
          expect.any(String),
        ]);
      const example: { body?: unknown; reply: unknown } = memoryExamples[name as keyof typeof memoryRoutes];
      expect(operation.responses['200'].content['application/json'].example).toEqual(example.reply);
      expect(route.reply.parse(example.reply)).toEqual(example.reply);
      expect(operation.requestBody?.content['application/json'].example).toEqual(example.body);
      if (route.body) expect(route.body.parse(example.body)).toMatchObject(withoutDates(example.body));
    },
  );

  it.each(operations)(
    'has an example of the parameters of the path and the body of $name',
    ({ name, route, operation }) => {
      for (const { in: place, name: parameter, example, schema } of operation.parameters)
        if (place === 'path') expect([parameter, example ?? schema.example]).not.toContain(undefined);
      if (!route.body) return;
      const { schema, example } = operation.requestBody.content['application/json'];
      const named = document.components.schemas[schema.$ref?.split('/').at(-1)];
      const body = example ?? (named ?? schema).example;
      expect(body).toBeDefined();
      expect(route.body.safeParse(body).error).toBeUndefined();
      expect([name, operation.requestBody.required]).toEqual([name, name !== 'testWebhook']);
    },
  );

  it.each(operations)('does not close the replies of $name, so that fields can be added later', ({ operation }) => {
    expect(isClosed(operation.responses)).toBe(false);
  });

  it('describes what requests and replies have in common once', () => {
    expect(document.components.schemas.PersonalityTraits).toBeDefined();
    expect(document.components.schemas.PersonalityTraitsOutput).toBeUndefined();
  });

  it('requires no header that only some refusals have', () => {
    const { headers } = document.paths['/api/v3/api-keys'].get.responses['429'];
    expect(headers['Retry-After'].required).toBe(true);
    expect([headers.RateLimit.required ?? false, headers['RateLimit-Policy'].required ?? false]).toEqual([
      false,
      false,
    ]);
  });

  it('says that a server that is not ready answers 503 with the same body', () => {
    const { responses } = document.paths['/readyz'].get;
    expect(responses['503'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Readiness' });
    expect(responses['503'].headers['Retry-After']).toBeDefined();
  });

  it('says where a list of all agents may be incomplete', () => {
    const headersOf = (path: string) => Object.keys(document.paths[path].get.responses['200'].headers);
    for (const path of ['/api/list', '/api/graph', '/api/agents'])
      expect(headersOf(path)).toContain('X-As-Of-Position');
    expect(headersOf('/api/documents')).not.toContain('X-As-Of-Position');
  });

  it('says who may make a call', () => {
    const securityOf = (path: string, method: string) => document.paths[path][method].security.flatMap(Object.keys);
    expect(securityOf('/api/search', 'post')).toEqual(['user', 'bearerKey', 'apiKey']);
    expect(securityOf('/api/v3/api-keys', 'post')).toEqual(['user']);
    expect(securityOf('/healthz', 'get')).toEqual([]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(['user', 'bearerKey', 'apiKey']);
    expect(document.paths['/api/v3/api-keys'].post.responses['401']).toBeDefined();
  });

  it('gives every list of a body a bound', () => {
    const bodies = operations.flatMap(({ name, operation }) => {
      const schema = operation.requestBody?.content['application/json'].schema;
      return schema && name !== 'receiveCall' ? [[name, schema] as const] : [];
    });
    const lists = bodies.flatMap(([name, schema]) => listsIn(schema).map((list) => [name, list.maxItems]));
    expect(lists).toContainEqual(['search', 3]);
    expect(lists).toContainEqual(['createKey', 64]);
    expect(lists).toContainEqual(['putBatch', 1_000]);
    for (const list of lists) expect(list).toEqual([expect.any(String), expect.any(Number)]);
  });

  it('says how long texts may be', () => {
    const lengthOf = (schema: string, field: string) => {
      const { anyOf, ...own } = document.components.schemas[schema].properties[field];
      return own.maxLength ?? anyOf.find(({ type }: { type: string }) => type === 'string').maxLength;
    };
    expect(lengthOf('SearchRequest', 'query')).toBe(8_192);
    expect(lengthOf('ThinkRequest', 'query')).toBe(8_192);
    expect(lengthOf('MemoryItem', 'context')).toBe(16_384);
    expect(lengthOf('CreateAgentRequest', 'background')).toBe(65_536);
    expect(lengthOf('AddBackgroundRequest', 'content')).toBe(65_536);
  });

  it('says of integers in a query what they may be', () => {
    const limit = document.paths['/api/list'].get.parameters.find(({ name }: { name: string }) => name === 'limit');
    expect(limit).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 } });
    expect(limit.required ?? false).toBe(false);
  });

  it('has the headers that make writes and reads safe', () => {
    const { post } = document.paths['/api/memories/batch'];
    expect(post.parameters.map(({ name }: { name: string }) => name)).toContain('Idempotency-Key');
    expect(Object.keys(post.responses['200'].headers)).toContain('X-Event-Position');
    const { get } = document.paths['/api/list'];
    expect(get.parameters.map(({ name }: { name: string }) => name)).toContain('X-Min-Event-Position');
  });
});
