import { webhook, webhookSubjects } from '@mneme/contracts';
import { ReadModel } from '@mneme/read-models';
import { beforeAll, expect, it, vi } from 'vitest';
import { useWebhookFixture } from './testing/webhook-fixture.ts';

const fixture = useWebhookFixture();
beforeAll(() => fixture.start());

/** Renames a webhook, as another instance may do. @returns the sequence of the event */
async function rename(webhookId: number, name: string): Promise<number> {
  const verification = { type: 'none', sealedSecret: null } as const;
  const data = { webhookId, name, verification, deduplicate: false, isActive: true, tokenHash: 'hash' };
  const subject = webhookSubjects.webhook(webhookId);
  const context = { correlationId: 'test' };
  return (await fixture.store.append(subject, [{ type: 'WebhookChanged', data }], 'any', context)).sequence;
}

it('a read that names an event waits until the read model has applied it', async () => {
  const owned = await fixture.withWebhook();
  const release = await fixture.holdReadModel('webhook');
  const minSequence = await rename(owned.webhookId, 'Invoices');
  const waiting = fixture.call(webhook.getWebhook, { ...owned, minSequence });
  const early = await fixture.call(webhook.getWebhook, owned);
  await release();
  expect(early.name).toBe('Orders');
  expect((await waiting).name).toBe('Invoices');
});

it('a read is 503 when the event that it names is not applied in time', async () => {
  const owned = await fixture.withWebhook();
  using _late = vi.spyOn(ReadModel.prototype, 'awaitEvent').mockResolvedValue(false);
  const read = fixture.call(webhook.getWebhook, { ...owned, minSequence: 1 });
  await expect(read).rejects.toMatchObject({ status: 503, code: 'READ_MODEL_BEHIND' });
});
