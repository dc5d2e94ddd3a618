import { type WebhookToken, webhookSecrets } from '@mneme/contracts';
import type { Sealing } from '@mneme/service-kit';
import { UnauthenticatedError } from '../../identity/refusals.ts';
import { type SignedDelivery, signatureChecks } from './signatures.ts';

export interface VerificationDeps {
  /** Undefined where the gateway was given no `SECRETS_KEY`. */
  readonly sealing: Sealing | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Checks the signature that a webhook asks for.
 * @throws UnauthenticatedError when it is missing, wrong or too old
 * @throws Error when the secret to check it with cannot be had
 */
export function verifySignature(
  { webhookId, verification }: WebhookToken,
  call: SignedDelivery,
  deps: VerificationDeps,
): void {
  if (verification.type === 'none') return;
  const { sealing, clock } = deps;
  if (!sealing) throw new Error('The gateway needs SECRETS_KEY to check the signatures of webhook calls');
  if (verification.sealedSecret === null) throw new Error(`Webhook ${webhookId} asks for signatures without a secret`);
  const secret = sealing.open(verification.sealedSecret, webhookSecrets.verification(webhookId));
  if (signatureChecks[verification.type](call, secret, clock())) return;
  throw new UnauthenticatedError('The signature of the call is missing, wrong or too old', 'Signature realm="mneme"');
}
