import { WireError, webhook } from '@mneme/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import type { RequestOptions } from '../testing/http-request.ts';
import { jwtSecret, userToken } from '../testing/tokens.ts';
import { deliveryReply, tableReply, webhookReply } from '../testing/webhook-replies.ts';

const { token, created_at } = webhookReply;
const delivery = deliveryReply(12);
const table = tableReply();
const replayed = { calls: 2, processed: 1, failed: 0, is_done: false, message: 'Replaying' };

const fixture = useGateway({ JWT_SECRET: jwtSecret });
const { asUser, asked } = fixture;
beforeEach(() => {
  const { answer } = fixture.services;
  answer(webhook.listWebhooks, () => []);
  answer(webhook.createWebhook, () => ({ value: webhookReply, position: 'WEBHOOKS:5' }));
  answer(webhook.updateWebhook, () => ({ value: webhookReply, position: 'WEBHOOKS:6' }));
  answer(webhook.deleteWebhook, () => ({ value: { name: 'Orders', calls: 2 }, position: 'WEBHOOKS:7' }));
  answer(webhook.listDeliveries, ({ limit, offset }) => ({
    logs: [delivery],
    pagination: { total: 1, limit, offset },
  }));
  answer(webhook.replayDelivery, () => ({ value: delivery, position: 'WEBHOOKS:8' }));
  answer(webhook.replayDeliveries, () => ({ value: replayed, position: 'WEBHOOKS:9' }));
  answer(webhook.replayProgress, () => replayed);
  answer(webhook.listTables, () => [table]);
  answer(webhook.createTable, () => ({ value: table, position: 'WEBHOOKS:10' }));
  answer(webhook.getTable, () => table);
  answer(webhook.listRows, () => ({ rows: [], total: 0 }));
});

const webhooks = '/api/v3/projects/8/webhooks';

/** Every route of the area, with the code of its unexpected errors. */
const routes = [
  ['GET', webhooks, webhook.listWebhooks, 'FETCH_ERROR'],
  ['POST', webhooks, webhook.createWebhook, 'CREATE_ERROR'],
  ['PATCH', '/api/v3/webhooks/3', webhook.updateWebhook, 'UPDATE_ERROR'],
  ['DELETE', '/api/v3/webhooks/3', webhook.deleteWebhook, 'DELETE_ERROR'],
  ['GET', '/api/v3/webhooks/3/logs', webhook.listDeliveries, 'FETCH_ERROR'],
  ['POST', '/api/v3/webhooks/3/logs/12/replay', webhook.replayDelivery, 'UPDATE_ERROR'],
  ['POST', '/api/v3/webhooks/3/replay', webhook.replayDeliveries, 'UPDATE_ERROR'],
  ['GET', '/api/v3/webhooks/3/replay', webhook.replayProgress, 'FETCH_ERROR'],
  ['GET', '/api/v3/projects/8/tables', webhook.listTables, 'FETCH_ERROR'],
  ['POST', '/api/v3/projects/8/tables', webhook.createTable, 'CREATE_ERROR'],
  ['GET', '/api/v3/tables/4', webhook.getTable, 'FETCH_ERROR'],
  ['GET', '/api/v3/tables/4/rows', webhook.listRows, 'FETCH_ERROR'],
] as const;
const bodyFor = (method: string) => (method === 'GET' || method === 'DELETE' ? {} : { body: { name: 'Orders' } });

describe.each(routes)('%s %s', (method, path, endpoint, code) => {
  it('needs a user: 401 without a credential, 403 with a key', async () => {
    const anonymous = await fixture.http(method, path, bodyFor(method));
    expect([anonymous.status, anonymous.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    const headers = { 'x-api-key': await fixture.records.issueKey() };
    const byKey = await fixture.http(method, path, { ...bodyFor(method), headers });
    expect([byKey.status, byKey.body.code]).toEqual([403, 'FORBIDDEN']);
    expect(asked(endpoint)).toEqual([]);
  });

  it('sends the request on behalf of the user', async () => {
    const { status, headers } = await asUser(method, path, bodyFor(method));
    expect(status).toBeLessThan(202);
    expect(asked(endpoint)).toEqual([expect.objectContaining({ userId: 7 })]);
    expect(headers['x-event-position']).toEqual(method === 'GET' ? undefined : expect.stringMatching(/^WEBHOOKS:\d+$/));
  });

  it('passes a refusal on', async () => {
    fixture.services.answer(endpoint as never, () => {
      throw new WireError({ status: 404, code: 'NOT_FOUND', message: 'Webhook not found' });
    });
    const { status, body } = await asUser(method, path, bodyFor(method));
    expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', 'Webhook not found']);
  });

  it('replies to an unexpected error with a fixed message', async () => {
    fixture.services.answer(endpoint as never, () => {
      throw new Error('mongodb://root:secret@db is gone');
    });
    const { status, body, text } = await asUser(method, path, bodyFor(method));
    expect([status, body.code]).toEqual([500, code]);
    expect(body.message).toMatch(/^Failed to /);
    expect(text).not.toMatch(/secret|mongodb/);
  });

  it.each(['0', '-1', '1e3', 'x', '1.0', '9999999999999999'])('has ids that are numbers, not %s', async (id) => {
    const wrong = path.replace(/\d+(?!.*\d)/, id);
    const { status, body } = await asUser(method, wrong, bodyFor(method));
    expect([status, body.detail[0].loc[0]]).toEqual([422, 'path']);
  });
});

describe('creating a webhook', () => {
  const create = (body: object, options: RequestOptions = {}) => asUser('POST', webhooks, { ...options, body });
  const request = (more: object) => ({
    userId: 7,
    projectId: 8,
    name: 'Orders',
    table: null,
    deduplicate: false,
    verification: { type: 'none', secret: null },
    commandId: expect.stringMatching(/^[\da-f-]{36}$/),
    ...more,
  });

  it('is 201 with the URL for deliveries, by the origin of the request', async () => {
    const { status, headers, body } = await create({ name: ' Orders ', token: 'x', id: 9, created_by: 1 });
    expect([status, headers['x-event-position']]).toEqual([201, 'WEBHOOKS:5']);
    expect(body).toEqual({ ...webhookReply, url: `${fixture.url}/api/webhooks/incoming/${token}` });
    expect(asked(webhook.createWebhook)).toEqual([request({})]);
  });

  it.each([
    ['mneme.example', 'http://mneme.example'],
    ['MNEME.example:8443', 'http://mneme.example:8443'],
    ['[::1]:80', 'http://[::1]'],
  ])('makes the address of the host that was asked, and nothing else: %s', async (host, expected) => {
    const { body } = await create({ name: 'Orders' }, { headers: { host } });
    expect(body.url.startsWith(expected)).toBe(true);
    expect(body.url).toMatch(/^http:\/\/[\w.:[\]-]+\/api\/webhooks\/incoming\/a{32}$/);
  });

  it.each(['x.example/path?q#f', '"><script>', 'user@x.example', 'x.example:http', 'x y'])(
    'is refused where the host is none: %j',
    async (host) => {
      const { status, body } = await create({ name: 'Orders' }, { headers: { host } });
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
      expect(asked(webhook.createWebhook)).toEqual([]);
    },
  );

  it('takes forwarded headers from trusted proxies only', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'mneme.example' };
    expect((await create({ name: 'Orders' }, { headers })).body.url).toContain(fixture.url);
    const trusting = await fixture.startAnother({ JWT_SECRET: jwtSecret, TRUSTED_PROXIES: 'loopback' });
    const options = { body: { name: 'Orders' }, headers: { ...headers, authorization: `Bearer ${userToken(7)}` } };
    const { body } = await trusting.http('POST', webhooks, options);
    expect(body.url).toBe(`https://mneme.example/api/webhooks/incoming/${token}`);
  });

  it.each(['https://hooks.example', 'https://hooks.example/', 'https://hooks.example/mneme/'])(
    'makes the address as the operator says: %s',
    async (base) => {
      const told = await fixture.startAnother({ JWT_SECRET: jwtSecret, PUBLIC_BASE_URL: base });
      const options = { body: { name: 'Orders' }, headers: { authorization: `Bearer ${userToken(7)}` } };
      const { body } = await told.http('POST', webhooks, options);
      expect(body.url).toBe(`${base.replace(/\/$/, '')}/api/webhooks/incoming/${token}`);
    },
  );

  it.each([
    [{ tableId: 4 }, { id: 4 }],
    [{ tableId: null }, null],
    [{ createNewTable: true }, { newName: null }],
    [{ createNewTable: true, newTableName: 'My  Orders' }, { newName: 'My  Orders' }],
    [{ createNewTable: true, newTableName: ' Leads ' }, { newName: ' Leads ' }],
    [{ createNewTable: true, newTableName: 'My\tOrders\n' }, { newName: 'My\tOrders\n' }],
    [{ createNewTable: true, newTableName: '' }, { newName: null }],
    [{ createNewTable: true, newTableName: ' \t' }, { newName: null }],
    [{ createNewTable: true, newTableName: 'a', tableId: 4 }, { newName: 'a' }],
    [{ createNewTable: false, newTableName: 'a', tableId: 4 }, { id: 4 }],
    [{ createNewTable: false, newTableName: 'a' }, null],
  ])('with %j has the table %j', async (given, wanted) => {
    await create({ name: 'Orders', ...given });
    expect(asked(webhook.createWebhook)).toEqual([request({ table: wanted })]);
  });

  it('can require signatures, and deduplicate deliveries', async () => {
    await create({ name: 'Orders', verification: { type: 'github', secret: 's' }, deduplicate: true });
    await create({ name: 'Orders', verification: { type: 'none', secret: 's' } });
    expect(asked(webhook.createWebhook)).toEqual([
      request({ verification: { type: 'github', secret: 's' }, deduplicate: true }),
      request({}),
    ]);
  });

  it.each([
    [{}, ['body', 'name'], 'missing'],
    [{ name: '  ' }, ['body', 'name'], 'string_too_short'],
    [{ name: 7 }, ['body', 'name'], 'string_type'],
    [{ name: 'x'.repeat(256) }, ['body', 'name'], 'string_too_long'],
    [{ name: 'a', tableId: 1.5 }, ['body', 'tableId'], 'int_from_float'],
    [{ name: 'a', newTableName: 5 }, ['body', 'newTableName'], 'string_type'],
    [{ name: 'a', newTableName: 'x\u0000y' }, ['body', 'newTableName'], 'string_control_character'],
    [{ name: 'a', newTableName: 'x\u0085y' }, ['body', 'newTableName'], 'string_control_character'],
    [{ name: 'a', deduplicate: 1 }, ['body', 'deduplicate'], 'bool_type'],
    [{ name: 'a', tableId: '4' }, ['body', 'tableId'], 'int_type'],
    [{ name: 'a', createNewTable: 'yes' }, ['body', 'createNewTable'], 'bool_type'],
    [{ name: 'a', verification: { type: 'github' } }, ['body', 'verification', 'secret'], 'missing'],
    [{ name: 'a', verification: { type: 'md5', secret: 's' } }, ['body', 'verification', 'type'], 'enum'],
  ])('is 422 with %j', async (body, loc, type) => {
    const reply = await create(body);
    expect([reply.status, reply.body.detail[0].loc, reply.body.detail[0].type]).toEqual([422, loc, type]);
    expect(asked(webhook.createWebhook)).toEqual([]);
  });
});

it.each([{ name: '' }, { isActive: 'no' }, { isActive: 0 }, { verification: { type: 'stripe' } }])(
  'a change is 422 with %j',
  async (body) => {
    expect((await asUser('PATCH', '/api/v3/webhooks/3', { body })).status).toBe(422);
    expect(asked(webhook.updateWebhook)).toEqual([]);
  },
);

it('updating changes what is given', async () => {
  const kept = { userId: 7, webhookId: 3, name: null, isActive: null, verification: null, deduplicate: null };
  await asUser('PATCH', '/api/v3/webhooks/3', { body: { isActive: false } });
  await asUser('PATCH', '/api/v3/webhooks/3', { body: { name: 'New', verification: { type: 'none' } } });
  const empty = await asUser('PATCH', '/api/v3/webhooks/3', { body: {} });
  expect([empty.status, empty.body]).toEqual([200, webhookReply]);
  expect(asked(webhook.updateWebhook)).toEqual([
    { ...kept, isActive: false },
    { ...kept, name: 'New', verification: { type: 'none', secret: null } },
    kept,
  ]);
});

it('deleting says what was deleted', async () => {
  const { status, body } = await asUser('DELETE', '/api/v3/webhooks/3');
  expect([status, body]).toEqual([200, { message: "Webhook 'Orders' has been deleted" }]);
});

it('logs are listed in pages of 50, as of a position', async () => {
  const { body } = await asUser('GET', '/api/v3/webhooks/3/logs');
  expect(body).toEqual({ logs: [delivery], pagination: { total: 1, limit: 50, offset: 0, next_offset: null } });
  await fixture.fillLog('WEBHOOKS', 42);
  const headers = { 'x-min-event-position': 'WEBHOOKS:42' };
  await asUser('GET', '/api/v3/webhooks/3/logs?limit=1000&offset=7', { headers });
  expect(asked(webhook.listDeliveries)).toEqual([
    { userId: 7, webhookId: 3, limit: 50, offset: 0 },
    { userId: 7, webhookId: 3, limit: 1000, offset: 7, minSequence: 42 },
  ]);
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=1e2', 'offset=-1', 'offset=1.5', 'status=lost']) {
    const refused = await asUser('GET', `/api/v3/webhooks/3/logs?${query}`);
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['query', query.split('=')[0]]]);
  }
  const statusAt = async (position: string) => {
    return (await asUser('GET', '/api/v3/webhooks/3/logs', { headers: { 'x-min-event-position': position } })).status;
  };
  expect([await statusAt('OTHER:1'), await statusAt('ACCESS:1')]).toEqual([400, 200]);
});

it('a replay is of all failed deliveries by default', async () => {
  const path = '/api/v3/webhooks/3/replay';
  expect((await asUser('POST', path, { body: {} })).body).toEqual(replayed);
  await asUser('POST', path, { body: { since: '2026-01-02T03:04:05+01:00', status: 'processed', replace: true } });
  const commandId = expect.any(String);
  expect(asked(webhook.replayDeliveries)).toEqual([
    { userId: 7, webhookId: 3, since: null, status: 'error', isReplacing: false, commandId },
    {
      userId: 7,
      webhookId: 3,
      since: expect.stringMatching(/^2026-01-02T0/),
      status: 'processed',
      isReplacing: true,
      commandId,
    },
  ]);
  await asUser('POST', '/api/v3/webhooks/3/logs/12/replay');
  expect(asked(webhook.replayDelivery)).toEqual([
    { userId: 7, webhookId: 3, deliveryId: 12, commandId, isRepeat: false },
  ]);
});

it('the answer to a replay is not kept, since it has the payload: a repeat only reads the delivery as it is now', async () => {
  const headers = { 'idempotency-key': 'replay-once' };
  const replay = () => asUser('POST', '/api/v3/webhooks/3/logs/12/replay', { headers });
  const failure = new WireError({ status: 503, code: 'UNAVAILABLE', message: 'Later' });
  fixture.services.answer(webhook.replayDelivery, () => {
    throw failure;
  });
  expect((await replay()).status).toBe(503);
  fixture.services.answer(webhook.replayDelivery, ({ isRepeat }) => {
    return { value: delivery, position: isRepeat ? null : 'WEBHOOKS:8' };
  });
  const [first, again] = [await replay(), await replay()];
  expect([first.status, first.headers['idempotency-replayed']]).toEqual([200, undefined]);
  expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([200, first.text, 'true']);
  expect(again.headers['x-event-position']).toBe('WEBHOOKS:8');
  fixture.services.answer(webhook.replayDelivery, () => {
    throw new WireError({ status: 404, code: 'NOT_FOUND', message: 'Webhook not found' });
  });
  expect((await replay()).status).toBe(404);
  const commands = asked(webhook.replayDelivery) as { commandId: string; isRepeat: boolean }[];
  expect(commands.map(({ isRepeat }) => isRepeat)).toEqual([false, false, true, true]);
  expect(new Set(commands.map(({ commandId }) => commandId)).size).toBe(1);
});

it('the URL of a webhook whose token cannot be decrypted is empty', async () => {
  const listed = { table_name: null, table_display_name: null, recentLogs: [], totalCalls: 0, lastTriggered: null };
  const lost = { ...webhookReply, ...listed, token: '' };
  fixture.services.answer(webhook.listWebhooks, () => [{ ...lost, token }, lost]);
  const { body } = await asUser('GET', webhooks);
  expect(body.map(({ url }: { url: string }) => url)).toEqual([`${fixture.url}/api/webhooks/incoming/${token}`, '']);
});

it('a table can be created with columns', async () => {
  const columns = [
    { column_name: 'total', type: 'number' },
    { column_name: 'a', display_name: 'A', type: 'text' },
  ];
  const { status, body } = await asUser('POST', '/api/v3/projects/8/tables', { body: { name: 'orders', columns } });
  expect([status, body]).toEqual([201, table]);
  expect(asked(webhook.createTable)).toEqual([
    expect.objectContaining({
      name: 'orders',
      columns: [
        { columnName: 'total', displayName: 'total', type: 'number' },
        { columnName: 'a', displayName: 'A', type: 'text' },
      ],
    }),
  ]);
});

it('a page that ends early says where the next one begins', async () => {
  fixture.services.answer(webhook.listDeliveries, ({ limit, offset }) => ({
    logs: [delivery, delivery],
    pagination: { total: 41, limit, offset },
  }));
  const { body } = await asUser('GET', '/api/v3/webhooks/3/logs?offset=7');
  expect(body.pagination).toEqual({ total: 41, limit: 50, offset: 7, next_offset: 9 });
  fixture.services.answer(webhook.listRows, () => ({ rows: [], total: 41 }));
  expect((await asUser('GET', '/api/v3/tables/4/rows?offset=50')).body).toMatchObject({ next_offset: null });
});

it('rows have their numbers and names unchanged', async () => {
  const values: [string, string][] = [
    ['n', '9007199254740993'],
    ['__proto__', '1e400'],
    ['price', '1.10'],
    ['list', '[1, 2]'],
  ];
  fixture.services.answer(webhook.listRows, () => ({ rows: [{ id: 12, created_at, values }], total: 41 }));
  const { text, headers } = await asUser('GET', '/api/v3/tables/4/rows?limit=1&offset=2&order=asc');
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(text).toBe(
    `{"rows":[{"id":12,"created_at":"${created_at}","values":{"n":9007199254740993,"__proto__":1e400,"price":1.10,"list":[1, 2]}}],"total":41,"limit":1,"offset":2,"next_offset":3}`,
  );
  expect(asked(webhook.listRows)).toEqual([{ userId: 7, tableId: 4, limit: 1, offset: 2, order: 'asc' }]);
});
