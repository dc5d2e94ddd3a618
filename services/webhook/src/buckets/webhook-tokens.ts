import {
  type WebhookEvent,
  type WebhookToken,
  webhookEvents,
  webhookStream,
  webhookSubjects,
  webhookTokenSchema,
  webhookTokensBucket,
} from '@mneme/contracts';
import { type BucketDeps, KeptBucket, type RecordRules } from '@mneme/read-models';

/** Keeps the bucket that the gateway reads for every delivery. */
export function startWebhookTokensBucket(deps: BucketDeps): Promise<KeptBucket<WebhookEvent, WebhookToken>> {
  return KeptBucket.start<WebhookEvent, WebhookToken>(deps, {
    ...webhookTokensBucket,
    stream: webhookStream.name,
    catalog: webhookEvents,
    schema: webhookTokenSchema,
    rules: webhookTokenRules,
    // 2: `createdBy`
    form: 2,
    subjects: webhookSubjects.allWebhooks,
    aggregateOf: ({ subject }) => subject,
  });
}

const noVerification = { type: 'none', sealedSecret: null } as const;

/** Records of webhooks, by the hash of the token. A deleted webhook keeps its record, so that it is known to be deleted. */
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
      const createdBy = event.type === 'WebhookCreated' ? event.data.createdBy : record(tokenHash)?.createdBy;
      const state = isActive ? 'active' : 'inactive';
      return new Map([[tokenHash, { webhookId, state, verification, deduplicate, createdBy, sequence } as const]]);
    }
    if (event.type !== 'WebhookDeleted') return new Map();
    const { webhookId, tokenHash } = event.data;
    const deduplicate = record(tokenHash)?.deduplicate ?? false;
    const ended = { webhookId, state: 'deleted', verification: noVerification, deduplicate, sequence } as const;
    return new Map([[tokenHash, ended]]);
  },
  hasEnded: ({ state }) => state === 'deleted',
};
