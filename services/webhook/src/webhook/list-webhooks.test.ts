import { webhook } from '@mneme/contracts';
import { longestStallOf } from '@mneme/workers/testing';
import { beforeAll, expect, it } from 'vitest';
import { useWebhookFixture } from '../testing/webhook-fixture.ts';
import { webhookCollections } from '../webhook-rows/rows.ts';

const fixture = useWebhookFixture();
beforeAll(() => fixture.start());

/** Stores copies of a user's webhook beside it. */
async function copy(
  webhookId: number,
  { from = 1, to, name = 'Orders' }: { from?: number; to: number; name?: string },
) {
  const { webhooks } = webhookCollections(fixture.db, 1);
  const row = await webhooks.findOne({ _id: webhookId });
  if (!row) throw new Error('The webhook has no row');
  const ids = Array.from({ length: to - from + 1 }, (_, index) => webhookId * 100_000 + from + index);
  await webhooks.insertMany(ids.map((_id) => ({ ...row, _id, name })));
}

it('5,000 are listed without a stall', async () => {
  const longestStallMs = 250;
  const user = await fixture.withWebhook({ table: null });
  await copy(user.webhookId, { to: 4_999 });
  const list = async () => expect(await fixture.call(webhook.listWebhooks, user)).toHaveLength(5_000);
  expect(await longestStallOf(list, longestStallMs)).toBeLessThan(longestStallMs);
});

it('is refused while they are too large for one answer, and each can be read', async () => {
  const user = await fixture.withWebhook({ table: null });
  const name = 'x'.repeat(15_000);
  await copy(user.webhookId, { to: 999, name });
  expect(await fixture.call(webhook.listWebhooks, user)).toHaveLength(1_000);
  await copy(user.webhookId, { from: 1_000, to: 1_199, name });
  const message =
    'The webhooks of the project are too large to be listed at once; read each with GET /api/v3/webhooks/{id}';
  const refused = { status: 413, code: 'PAYLOAD_TOO_LARGE', message };
  await expect(fixture.call(webhook.listWebhooks, user)).rejects.toMatchObject(refused);
  expect(await fixture.call(webhook.getWebhook, user)).toMatchObject({ id: user.webhookId });
});
