import { type SealedVerification, type VerificationType, type WebhookReply, webhookSecrets } from '@mneme/contracts';
import type { Sealing } from '@mneme/service-kit';
import type { StoredWebhook } from '../webhook-rows/rows.ts';

/** A webhook as those see it who may manage it, with its token. */
export function toWebhook(sealing: Sealing, webhook: StoredWebhook): WebhookReply {
  const { _id: id, verification, deduplicate } = webhook;
  return {
    ...{ id, project_id: webhook.projectId, table_id: webhook.tableId, name: webhook.name },
    token: sealing.open(webhook.sealedToken, webhookSecrets.token(id)),
    token_prefix: webhook.tokenPrefix,
    is_active: webhook.isActive ? 1 : 0,
    verification: { type: verification.type },
    deduplicate,
    created_by: webhook.createdBy,
    created_at: webhook.createdAt.toISOString(),
  };
}

/** How a sender signs, with the secret as it was given. */
export interface Verification {
  readonly type: VerificationType;
  readonly secret: string | null;
}

export function sealVerification(
  sealing: Sealing,
  webhookId: number,
  { type, secret }: Verification,
): SealedVerification {
  if (type === 'none' || secret === null) return { type: 'none', sealedSecret: null };
  return { type, sealedSecret: sealing.seal(secret, webhookSecrets.verification(webhookId)) };
}
