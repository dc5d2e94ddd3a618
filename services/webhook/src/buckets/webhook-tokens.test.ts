import type { WebhookEvent, WebhookToken } from '@mneme/contracts';
import { foldEvent } from '@mneme/read-models';
import { expect, it } from 'vitest';
import { webhookDeleted as deleted, newWebhook } from '../testing/webhook-events.ts';
import { webhookTokenRules } from './webhook-tokens.ts';

const verification = { type: 'github', sealedSecret: 'sealed' } as const;
const webhook = newWebhook({ tableId: null, deduplicate: true, verification });
const created: WebhookEvent = { type: 'WebhookCreated', data: webhook };
const deactivated: WebhookEvent = {
  type: 'WebhookChanged',
  data: { webhookId: 7, tokenHash: 'hash', name: 'Orders', isActive: false, verification, deduplicate: true },
};

/** The record after the events were applied, from sequence 1 on. */
function given(...events: WebhookEvent[]) {
  const records = new Map<string, WebhookToken>();
  for (const [index, event] of events.entries()) {
    foldEvent(webhookTokenRules, records, { ...event, position: { stream: 'WEBHOOKS', sequence: index + 1 } } as never);
  }
  return records.get('hash');
}

it('says whether a webhook is active and how its deliveries are checked', () => {
  const common = { webhookId: 7, verification, deduplicate: true, createdBy: webhook.createdBy };
  expect(given(created)).toEqual({ ...common, state: 'active', sequence: 1 });
  expect(given(created, deactivated)).toEqual({ ...common, state: 'inactive', sequence: 2 });
});

it('a deleted webhook keeps a record without its secret', () => {
  const verification = { type: 'none', sealedSecret: null };
  const record = { webhookId: 7, verification, deduplicate: true, state: 'deleted', sequence: 2 };
  expect(given(created, deleted)).toEqual(record);
});
