import type { WebhookEvent, WebhookEventOf } from '@mneme/contracts';

type Created = WebhookEventOf<'WebhookCreated'>['data'];

const verification = { type: 'none', sealedSecret: null } as const;

/** What is known of a webhook when it is created. @param different from a plain one with the id 7 and the table 3 */
export function newWebhook(different: Partial<Created> = {}): Created {
  return {
    webhookId: 7,
    projectId: 2,
    tableId: 3,
    name: 'Orders',
    deduplicate: false,
    verification,
    tokenHash: 'hash',
    tokenPrefix: 'abcdefgh',
    sealedToken: 'sealed',
    createdBy: 4,
    createdAt: null,
    isActive: true,
    commandId: 'c',
    ...different,
  };
}

export const webhookDeleted: WebhookEvent = { type: 'WebhookDeleted', data: { webhookId: 7, tokenHash: 'hash' } };
