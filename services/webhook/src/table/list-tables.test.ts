import { randomUUID } from 'node:crypto';
import { webhook } from '@mneme/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWebhookFixture, type WebhookFixture } from '../testing/webhook-fixture.ts';

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
  await fixture.start();
});
afterAll(() => fixture?.stop());

it('is refused while they have too many columns for one answer, and each can be read', async () => {
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
