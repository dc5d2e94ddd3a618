import { randomBytes } from 'node:crypto';
import { webhook } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { useWebhookFixture } from '../testing/webhook-fixture.ts';

const fixture = useWebhookFixture();

it('webhooks can be listed, changed and deleted after SECRETS_KEY was lost, and new ones created', async () => {
  const before = await fixture.start();
  const user = await fixture.newUser();
  const [first, second] = [await fixture.createWebhook(user), await fixture.createWebhook(user)];
  await before.stop();
  const service = await fixture.start({ SECRETS_KEY: randomBytes(32).toString('base64') });
  const created = await fixture.createWebhook(user);
  const lost = [second, first].map((each) => ({ id: each.id, token: '', token_prefix: each.token_prefix }));
  expect(await fixture.call(webhook.listWebhooks, user)).toMatchObject([
    { id: created.id, token: created.token },
    ...lost,
  ]);
  expect(created.token).not.toBe('');
  const ofFirst = { ...user, webhookId: first.id };
  const change = { name: 'Renamed', isActive: false, verification: null, deduplicate: null };
  const { value } = await fixture.call(webhook.updateWebhook, { ...ofFirst, ...change });
  expect(value).toMatchObject({ name: 'Renamed', is_active: 0, token: '' });
  expect((await fixture.call(webhook.deleteWebhook, ofFirst)).value).toEqual({ name: 'Renamed', calls: 0 });
  expect(fixture.logged.filter((line) => line.includes('cannot be decrypted'))).toHaveLength(1);
  await service.stop();
});
