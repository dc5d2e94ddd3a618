import { randomUUID } from 'node:crypto';
import { webhook } from '@mneme/contracts';
import { beforeAll, expect, it } from 'vitest';
import { createAggregates } from '../aggregates.ts';
import { listDeliveries } from '../delivery/queries.ts';
import type { WebhookDeps } from '../deps.ts';
import { projectCollections } from '../project-rows/projection.ts';
import { useWebhookFixture, type WebhookFixture } from '../testing/webhook-fixture.ts';
import { webhookCollections } from '../webhook-rows/rows.ts';
import { listRows } from './queries.ts';

const fixture = useWebhookFixture();
beforeAll(() => fixture.start());

type Target = Awaited<ReturnType<WebhookFixture['withWebhook']>>;

/** Receives a delivery, and waits until it is a row. */
const receive = async ({ userId, webhookId }: Target, payload: string) => {
  await fixture.receive(webhookId, payload);
  await fixture.logsOf(userId, webhookId);
};

/** What queries work with; something happens before they read deliveries for the first time. */
function depsWith(event: () => Promise<void>): WebhookDeps {
  const rows = webhookCollections(fixture.db, 1);
  let hasHappened = false;
  const find = (...query: Parameters<typeof rows.deliveries.find>) => {
    const cursor = rows.deliveries.find(...query);
    const read = cursor.toArray.bind(cursor);
    const toArray = async () => {
      if (!hasHappened) await event();
      hasHappened = true;
      return read();
    };
    return Object.assign(cursor, { toArray });
  };
  const deliveries = new Proxy(rows.deliveries, {
    get: (target, name) => (name === 'find' ? find : Reflect.get(target, name)),
  });
  const progress = { catchUp: async () => undefined, assertCurrent: () => undefined };
  return {
    rows: () => ({ ...rows, deliveries }),
    aggregates: createAggregates(fixture.connection),
    deliveryWait: { untilProcessed: async () => 0 },
    policy: 'strict',
    progress,
    projects: { rows: () => projectCollections(fixture.db, 1), progress },
  } as unknown as WebhookDeps;
}

it('a delivery that comes while a page is read puts no older one on no page', async () => {
  const target = await fixture.withWebhook();
  for (const n of [1, 2]) await receive(target, `{"n":${n}}`);
  const page = { ...target, limit: 2, offset: 0 };
  const { logs, pagination } = await listDeliveries(
    depsWith(() => receive(target, '{"n":3}')),
    page,
  );
  expect([logs.map(({ payload }) => payload), pagination.total]).toEqual([['{"n":3}', '{"n":2}'], 3]);
  const failing = '['.repeat(101) + ']'.repeat(101);
  const ofStatus = { ...page, status: 'error' } as const;
  const failed = await listDeliveries(
    depsWith(() => receive(target, failing)),
    ofStatus,
  );
  expect([failed.logs.length, failed.pagination.total]).toEqual([1, 1]);
});

it('a row that comes while a page is read is counted, and has the values of its new columns', async () => {
  const target = await fixture.withWebhook();
  await receive(target, '{"n":1}');
  const { rows, total } = await listRows(
    depsWith(() => receive(target, '{"n":2,"new":true}')),
    { ...target, limit: 1, offset: 0, order: 'desc' },
  );
  expect([rows.length, total]).toEqual([1, 2]);
  expect(Object.fromEntries(rows[0]?.values ?? [])).toMatchObject({ n: '2', new: 'true' });
});

it('an export has what had been received when it began, with all its columns', async () => {
  const target = await fixture.withWebhook();
  const { userId, tableId } = target;
  for (const n of [1, 2, 3]) await fixture.receive(target.webhookId, `{"n":${n},"col ${n}":"x"}`);
  const part = { userId, tableId, limit: 2 };
  const first = await fixture.call(webhook.exportRows, { ...part, afterRowId: 0 });
  expect(first.columns?.slice(3).map(({ column_name }) => column_name)).toEqual(['n', 'col_1', 'col_2', 'col_3']);
  await receive(target, '{"n":4,"late":"x"}');
  const afterRowId = first.rows.at(-1)?.id ?? 0;
  const second = await fixture.call(webhook.exportRows, { ...part, afterRowId, upTo: first.upTo });
  const values = [...first.rows, ...second.rows].map((row) => Object.fromEntries(row.values).n);
  expect([values, first.isLast, second.isLast]).toEqual([['1', '2', '3'], false, true]);
  // A gateway of an earlier release does not name the last row.
  const { rows } = await fixture.call(webhook.exportRows, { ...part, afterRowId });
  expect(rows).toHaveLength(2);
});

it('tables are not listed while they have too many columns for one answer, and each can be read', async () => {
  const user = await fixture.newUser();
  const columns = Array.from({ length: 1_000 }, (_, index) => {
    const name = `${index}`.padEnd(255, 'x');
    return { columnName: name, displayName: name, type: 'text' as const };
  });
  const create = () => fixture.call(webhook.createTable, { ...user, name: 'wide', columns, commandId: randomUUID() });
  for (let count = 1; count <= 25; count += 1) await create();
  expect(await fixture.call(webhook.listTables, user)).toHaveLength(25);
  let last = (await create()).value;
  for (let count = 1; count <= 4; count += 1) last = (await create()).value;
  const message =
    'The tables of the project have too many columns to be listed at once; read each with GET /api/v3/tables/{id}';
  const refused = { status: 413, code: 'PAYLOAD_TOO_LARGE', message };
  await expect(fixture.call(webhook.listTables, user)).rejects.toMatchObject(refused);
  expect((await fixture.call(webhook.getTable, { ...user, tableId: last.id })).columns).toHaveLength(1_000);
});
