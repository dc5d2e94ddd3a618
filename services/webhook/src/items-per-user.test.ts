import { randomUUID } from 'node:crypto';
import { defaultColumns, webhook } from '@mneme/contracts';
import { beforeAll, expect, it } from 'vitest';
import { useWebhookFixture } from './testing/webhook-fixture.ts';

const fixture = useWebhookFixture();
beforeAll(() => fixture.start({ ITEMS_PER_USER: '2' }));

const advice = 'the operator of Mneme to raise ITEMS_PER_USER';
const conflict = (message: string) => ({ status: 409, code: 'CONFLICT', message });

it('a user with as many webhooks as one may have has to delete one before the next', async () => {
  const [user, other] = [await fixture.newUser(), await fixture.newUser()];
  const create = (commandId: string = randomUUID()) => fixture.createWebhook(user, { table: null, commandId });
  const { id: webhookId } = await create();
  const repeated = randomUUID();
  const last = await create(repeated);
  const message = `You have 2 webhooks, the most that one user may have. Delete one first, or ask ${advice}`;
  await expect(create()).rejects.toMatchObject(conflict(message));
  expect(await create(repeated), 'the answer was lost').toMatchObject({ id: last.id });
  await fixture.createWebhook(other, { table: null });
  await fixture.call(webhook.deleteWebhook, { userId: user.userId, webhookId });
  await create();
});

it('a project with as many tables as one may have gets no more, and no webhook that needs one', async () => {
  const user = await fixture.newUser();
  const createTable = () =>
    fixture.call(webhook.createTable, {
      ...user,
      name: 'orders',
      columns: [...defaultColumns],
      commandId: randomUUID(),
    });
  await createTable();
  const repeated = randomUUID();
  const { table_id: tableId } = await fixture.createWebhook(user, { commandId: repeated });
  const refused = conflict(`The project has 2 tables, the most that one project may have. Ask ${advice}`);
  await expect(createTable()).rejects.toMatchObject(refused);
  const head = await fixture.store.head();
  await expect(fixture.createWebhook(user)).rejects.toMatchObject(refused);
  expect(await fixture.store.head(), 'nothing was appended').toBe(head);
  const again = await fixture.createWebhook(user, { commandId: repeated });
  expect(again, 'the answer was lost').toMatchObject({ table_id: tableId });
});
