import type { WebhookEvent, WebhookToken } from '@mneme/contracts';
import type { KeptBucket, RecordRules } from '@mneme/read-models';

export type WebhookTokenBucket = KeptBucket<WebhookEvent, WebhookToken>;

const noVerification = { type: 'none', sealedSecret: null } as const;

/** What the gateway knows about webhooks, by the hash of the token. A deleted one keeps its record, so that its end is known for certain. */
export const webhookTokenRules: RecordRules<WebhookEvent, WebhookToken> = {
  types: ['WebhookCreated', 'WebhookChanged', 'WebhookDeleted'],
  keysOf: (event) => {
    switch (event.type) {
      case 'WebhookCreated':
      case 'WebhookChanged':
      case 'WebhookDeleted':
        return [event.data.tokenHash];
      default:
        return [];
    }
  },
  change: (event, record) => {
    const { sequence } = event.position;
    if (event.type === 'WebhookCreated' || event.type === 'WebhookChanged') {
      const { webhookId, tokenHash, isActive, verification, deduplicate } = event.data;
      const state = isActive ? 'active' : 'inactive';
      return new Map([[tokenHash, { webhookId, state, verification, deduplicate, sequence } as const]]);
    }
    if (event.type !== 'WebhookDeleted') return new Map();
    const { webhookId, tokenHash } = event.data;
    const deduplicate = record(tokenHash)?.deduplicate ?? false;
    const ended = { webhookId, state: 'deleted', verification: noVerification, deduplicate, sequence } as const;
    return new Map([[tokenHash, ended]]);
  },
  hasEnded: ({ state }) => state === 'deleted',
};
