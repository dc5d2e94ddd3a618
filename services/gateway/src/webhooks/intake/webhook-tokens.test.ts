import { bucketCheckpoint, type WebhookToken } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { laggingBucket } from '../../testing/lagging-bucket.ts';
import { createWebhookTokens } from './webhook-tokens.ts';

const verification = { type: 'none', sealedSecret: null } as const;
const active: WebhookToken = { webhookId: 7, state: 'active', verification, deduplicate: false, sequence: 2 };
const inactive: WebhookToken = { ...active, state: 'inactive', sequence: 1 };

it('a webhook that was just activated is active, also where the replica that is asked is a revision behind', async () => {
  const checkpoint = { [bucketCheckpoint]: {} };
  const tokens = createWebhookTokens(laggingBucket({ ...checkpoint, hash: inactive }, { ...checkpoint, hash: active }));
  expect(await tokens.find('hash')).toEqual(active);
  expect(await tokens.findNewest('hash')).toEqual(active);
});
