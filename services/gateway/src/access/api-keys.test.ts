import { accessRoutes, type Endpoint, keys, WireError } from '@mneme/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import { jwtSecret } from '../testing/tokens.ts';

const path = '/api/v3/api-keys';
const created_at = '2026-01-01T00:00:00.000Z';
const described = { id: 3, key_prefix: 'sk-0123', name: 'CI', scopes: ['*'], rate_limit: 1_000, expires_at: null };
const plain = `sk-${'0123456789abcdef'.repeat(2)}`;
const created = { ...described, key: plain, created_at, message: 'Created.' };
const updated = { ...described, is_active: false, created_at };
const regenerated = { ...described, key: plain, message: 'Regenerated.' };
const commandId = expect.stringMatching(/^[\da-f-]{36}$/);

const fixture = useGateway({ JWT_SECRET: jwtSecret });
const { asUser } = fixture;
beforeEach(() => {
  const { answer } = fixture.services;
  answer(keys.listKeys, () => []);
  answer(keys.createKey, () => ({ value: created, position: 'ACCESS:9' }));
  answer(keys.updateKey, () => ({ value: updated, position: 'ACCESS:10' }));
  answer(keys.revokeKey, () => ({ value: { name: "Ana's" }, position: 'ACCESS:11' }));
  answer(keys.regenerateKey, () => ({ value: regenerated, position: 'ACCESS:12' }));
});

/** Without what gateways tell by themselves. */
const endpoints = Object.values(keys).filter((endpoint: Endpoint) => endpoint !== keys.countUsage) as Endpoint[];
const asked = () => endpoints.flatMap(fixture.asked);

describe('a key', () => {
  it('is created with the defaults', async () => {
    const { status, headers, body } = await asUser('POST', path, { body: { name: ' CI ', project_id: 4 } });
    expect([status, headers['x-event-position'], body]).toEqual([201, 'ACCESS:9', created]);
    expect(asked()).toEqual([
      {
        userId: 7,
        projectId: 4,
        name: 'CI',
        scopes: ['*'],
        rateLimit: 1_000,
        expiresInDays: null,
        agentId: null,
        commandId,
      },
    ]);
  });

  it('has a usage that is read as of a position', async () => {
    fixture.services.answer(keys.keyHistory, () => ({ bucket: 'hour', since: created_at, buckets: [] }) as never);
    await fixture.fillLog('ACCESS', 9);
    const headers = { 'x-min-event-position': 'ACCESS:9' };
    await asUser('GET', `${path}/3/usage?project_id=4`, { headers });
    expect(asked()).toEqual([expect.objectContaining({ keyId: 3, minSequence: 9 })]);
  });

  it('is created as wanted, and what cannot be set from outside changes nothing', async () => {
    const wanted = { scopes: ['memory:read', 'x', 'x'], rate_limit: 5, expires_in_days: 90, agent_id: 12 };
    const foreign = { user_id: 1, key_hash: 'x', id: 1, request_count: 9, is_active: false, created_at, key: plain };
    const body = { name: 'CI', project_id: 4, ...wanted, ...foreign };
    expect((await asUser('POST', path, { body })).status).toBe(201);
    expect(asked()).toEqual([
      {
        userId: 7,
        projectId: 4,
        name: 'CI',
        scopes: ['memory:read', 'x'],
        rateLimit: 5,
        expiresInDays: 90,
        agentId: 12,
        commandId,
      },
    ]);
  });

  it.each([0, -1, -5_000, null, undefined])('does not end when it ends in %s days', async (days) => {
    await asUser('POST', path, { body: { name: 'CI', project_id: 4, expires_in_days: days } });
    expect(asked()).toMatchObject([{ expiresInDays: null }]);
  });

  it('takes null for what is not given', async () => {
    const body = { name: 'CI', project_id: 4, scopes: null, rate_limit: null, agent_id: null };
    expect((await asUser('POST', path, { body })).status).toBe(201);
    expect(asked()).toMatchObject([{ scopes: ['*'], rateLimit: 1_000, agentId: null }]);
  });

  it('is changed in what is given', async () => {
    const body = { project_id: 4, is_active: false, user_id: 1, request_count: 0, key_hash: 'x' };
    const { status, headers, body: sent } = await asUser('PATCH', `${path}/3`, { body });
    expect([status, headers['x-event-position'], sent]).toEqual([200, 'ACCESS:10', updated]);
    expect(asked()).toEqual([
      { userId: 7, projectId: 4, keyId: 3, name: null, scopes: null, isActive: false, rateLimit: null },
    ]);
  });

  it('is revoked, by name', async () => {
    const { status, headers, body } = await asUser('DELETE', `${path}/3?project_id=4`);
    expect([status, body]).toEqual([200, { message: "API key 'Ana's' has been revoked" }]);
    expect(headers['x-event-position']).toBe('ACCESS:11');
    expect(asked()).toEqual([{ userId: 7, projectId: 4, keyId: 3 }]);
  });

  it('is regenerated', async () => {
    const { status, headers, body } = await asUser('POST', `${path}/3/regenerate`, { body: { project_id: 4 } });
    expect([status, headers['x-event-position'], body]).toEqual([200, 'ACCESS:12', regenerated]);
    expect(asked()).toEqual([{ userId: 7, projectId: 4, keyId: 3, overlapSeconds: 0, commandId }]);
  });

  it('is listed with others of its project', async () => {
    await fixture.fillLog('ACCESS', 9);
    const headers = { 'x-min-event-position': 'ACCESS:9' };
    const { status, body } = await asUser('GET', `${path}?project_id=4`, { headers });
    expect([status, body]).toEqual([200, []]);
    await asUser('GET', `${path}?project_id=4&limit=10&offset=20`);
    expect(asked()).toEqual([
      { userId: 7, projectId: 4, limit: 100_000, offset: 0, minSequence: 9 },
      { userId: 7, projectId: 4, limit: 10, offset: 20 },
    ]);
  });
});

describe('what is asked for first', () => {
  const routes: [method: string, path: string, body: object | undefined][] = [
    ['GET', path, undefined],
    ['POST', path, {}],
    ['PATCH', `${path}/3`, {}],
    ['DELETE', `${path}/3`, undefined],
    ['POST', `${path}/3/regenerate`, {}],
    ['PATCH', `${path}/x`, { name: 5, rate_limit: 'x' }],
    ['DELETE', `${path}/0`, undefined],
  ];

  it.each(routes)('%s %s without a project is 400, whatever else is wrong', async (method, to, body) => {
    const without = body === undefined ? ['', '?project_id=', '?project_id=%20'].map((query) => to + query) : [to];
    const bodies = body && [body, { ...body, project_id: null }, { ...body, project_id: ' ' }];
    for (const address of without) {
      for (const each of bodies ?? [undefined]) {
        const { status, body: sent } = await asUser(method, address, { body: each });
        expect([status, sent.code, sent.message]).toEqual([400, 'BAD_REQUEST', 'project_id is required']);
      }
    }
    expect(asked()).toEqual([]);
  });

  it('is the project, then the name', async () => {
    for (const name of [undefined, null, '', ' \t ']) {
      const first = await asUser('POST', path, { body: { name } });
      expect([first.status, first.body.message]).toEqual([400, 'project_id is required']);
      const then = await asUser('POST', path, { body: { name, project_id: 'x', scopes: 5 } });
      expect([then.status, then.body.code, then.body.message]).toEqual([400, 'BAD_REQUEST', 'Name is required']);
    }
  });

  it('is missing in no body at all, and not asked of what is no object', async () => {
    expect((await asUser('POST', `${path}/3/regenerate`)).body.message).toBe('project_id is required');
    const headers = { 'content-type': 'application/json' };
    for (const raw of ['{', '[]', 'null', '"x"', '5']) {
      expect([raw, (await asUser('POST', path, { raw, headers })).status]).toEqual([raw, 422]);
    }
  });
});

describe('a value of the wrong shape', () => {
  const good = { name: 'CI', project_id: 4 };
  const longScopes = Array.from({ length: 17 }, (_, index) => `${index}`.padEnd(250, 'x'));
  const operators = [{ $gt: 0 }, { $ne: null }, [], ['4'], true];
  it.each([
    ...operators.flatMap((value) => [{ project_id: value }, { name: value }, { rate_limit: value }]),
    ...[{ $gt: 0 }, ['x'], true].map((value) => ({ agent_id: value })),
    ...[{ $gt: 0 }, 'memory:read', [1], [{ $gt: 0 }], Array(65).fill(0).map(String), longScopes].map((scopes) => ({
      scopes,
    })),
    ...['4', '1e3', 1.5, 0, -1, 1e15].map((project_id) => ({ project_id })),
    ...[0, -1, 1.5, 1_000_001, '5'].map((rate_limit) => ({ rate_limit })),
    ...[3_651, 1.5, '5', { $gt: 0 }].map((expires_in_days) => ({ expires_in_days })),
    ...['x'.repeat(256), 'a\u0000b', 'a\nb', '\ud800'].map((name) => ({ name })),
    ...['', 'x'.repeat(257), 1.5].map((agent_id) => ({ agent_id })),
  ])('is 422: %j', async (wrong) => {
    const { status, body } = await asUser('POST', path, { body: { ...good, ...wrong } });
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(expect.arrayContaining(['body', Object.keys(wrong)[0]]));
    expect(asked()).toEqual([]);
  });

  it.each([true, 1.5, [1], {}])('says which agents a key can be bound to, when it is %j', async (agent_id) => {
    const { body } = await asUser('POST', path, { body: { ...good, agent_id } });
    const msg = 'Input should be a string, an integer or null';
    expect(body.detail).toEqual([{ loc: ['body', 'agent_id'], msg, type: 'value_error' }]);
  });

  it('is no scope of 255 characters, however many bytes they have', async () => {
    const scope = '😀'.repeat(255);
    expect((await asUser('POST', path, { body: { ...good, scopes: [scope] } })).status).toBe(201);
    expect(asked()).toMatchObject([{ scopes: [scope] }]);
    const { body } = await asUser('POST', path, { body: { ...good, scopes: [`${scope}x`] } });
    const msg = 'String should have at most 255 characters';
    expect(body.detail).toEqual([{ loc: ['body', 'scopes', 0], msg, type: 'string_too_long' }]);
  });

  const numbers = ['1e3', '0x10', '1.0', '-1', '+1', '0', '01', '1_0', '99999999999999999999', 'NaN', '%D9%A1'];
  const odd = ['%201', '1%20', '1%00', '1%0A', '1,2', '1;1', 'null', 'true', '[1]', '{"$gt":0}'];
  it.each([...numbers, ...odd])('in an address is 422, and never another record: %s', async (id) => {
    const encoded = id.replace(/[{}"$]/g, encodeURIComponent);
    const replies = [
      await asUser('PATCH', `${path}/${encoded}`, { body: good }),
      await asUser('DELETE', `${path}/${encoded}?project_id=4`),
      await asUser('POST', `${path}/${encoded}/regenerate`, { body: good }),
      await asUser('GET', `${path}?project_id=${encoded}`),
      await asUser('DELETE', `${path}/3?project_id=${encoded}`),
      await asUser('GET', `${path}?project_id=4&project_id=5`),
      await asUser('GET', `${path}?project_id[$gt]=0&project_id=${encoded}`),
    ];
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 422));
    expect(asked()).toEqual([]);
  });
});

describe('a change of the wrong shape', () => {
  it.each([
    ...['', '  ', 'x'.repeat(256), { $set: 1 }].map((name) => ({ name })),
    ...['memory:read', [{ $gt: '' }]].map((scopes) => ({ scopes })),
    ...[0, 'false', { $ne: true }].map((is_active) => ({ is_active })),
    ...[0, 1_000_001, { $gt: 0 }].map((rate_limit) => ({ rate_limit })),
    ...[{ $gt: 0 }, '1'].map((project_id) => ({ project_id })),
  ])('is 422, and nothing of it is done: %j', async (wrong) => {
    const { status, body } = await asUser('PATCH', `${path}/3`, { body: { project_id: 4, rate_limit: 5, ...wrong } });
    expect([status, body.detail[0].loc.slice(0, 2)]).toEqual([422, ['body', Object.keys(wrong)[0]]]);
    expect(asked()).toEqual([]);
  });
});

describe('who may not', () => {
  it.each(Object.entries(accessRoutes))(
    '%s: no unauthenticated caller and no key, whatever they send',
    async (_name, { method, path: of }) => {
      const to = of.replace('{id}', 'x');
      const anonymous = await fixture.http(method.toUpperCase(), to);
      expect([anonymous.status, anonymous.body.code]).toEqual([401, 'UNAUTHENTICATED']);
      expect(anonymous.headers['www-authenticate']).toBe('Bearer realm="mneme"');
      const headers = { 'x-api-key': await fixture.records.issueKey() };
      const key = await fixture.http(method.toUpperCase(), to, { headers });
      expect([key.status, key.body.code]).toEqual([403, 'FORBIDDEN']);
      expect(asked()).toEqual([]);
    },
  );

  it('the service says who, in its own words', async () => {
    const message = 'You can only edit your own API keys';
    fixture.services.answer(keys.updateKey, () => {
      throw new WireError({ status: 403, code: 'FORBIDDEN', message });
    });
    const { status, body } = await asUser('PATCH', `${path}/3`, { body: { project_id: 4 } });
    expect([status, body.code, body.message, body.detail]).toEqual([403, 'FORBIDDEN', message, message]);
  });
});

describe('an unexpected failure', () => {
  const routes: [message: string, endpoint: Endpoint, method: string, path: string, body?: object][] = [
    ['Failed to list API keys', keys.listKeys, 'GET', `${path}?project_id=4`],
    ['Failed to create API key', keys.createKey, 'POST', path, { name: 'CI', project_id: 4 }],
    ['Failed to update API key', keys.updateKey, 'PATCH', `${path}/3`, { project_id: 4 }],
    ['Failed to delete API key', keys.revokeKey, 'DELETE', `${path}/3?project_id=4`],
    ['Failed to regenerate API key', keys.regenerateKey, 'POST', `${path}/3/regenerate`, { project_id: 4 }],
  ];

  it.each(routes)('is 500 `%s`, logged once', async (message, endpoint, method, to, body) => {
    fixture.services.answer(endpoint, () => {
      throw new Error('mongodb://user:pass@host');
    });
    const { status, body: sent, text } = await asUser(method, to, { body });
    expect([status, sent.code, sent.message]).toEqual([500, 'INTERNAL_ERROR', message]);
    expect(text).not.toContain('mongodb');
    expect(fixture.notes()).toHaveLength(1);
    fixture.log.length = 0;
    // A malformed reply is an unexpected error of the gateway's own.
    fixture.services.answer(endpoint, () => 'nonsense');
    expect((await asUser(method, to, { body })).body.message).toBe(message);
    expect(fixture.notes()).toHaveLength(1);
  });

  it('keeps the words of a failure that has some, and its status', async () => {
    for (const [status, code, message] of [
      [500, 'INTERNAL_ERROR', 'Failed to create api_keys_list table in System Data.'],
      [503, 'UNAVAILABLE', 'away'],
    ] as const) {
      fixture.services.answer(keys.createKey, () => {
        throw new WireError({ status, code, message });
      });
      const { status: sent, body } = await asUser('POST', path, { body: { name: 'CI', project_id: 4 } });
      expect([sent, body.code, body.message]).toEqual([status, code, message]);
    }
  });
});
