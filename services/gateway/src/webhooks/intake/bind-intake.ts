import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type WebhookToken, webhookIntake, webhookTokenPattern } from '@mneme/contracts';
import type { Express, Request, Response } from 'express';
import { badRequest, notFound, orFail } from '../../errors.ts';
import { jsonAnswer, send } from '../../http/answers.ts';
import type { HeldBodies } from '../../http/input/held-bodies.ts';
import { receiveBody } from '../../http/input/receive-body.ts';
import { addressOf, markRoute, requestIdOf } from '../../http/request.ts';
import { expressPath } from '../../routing/bind-routes.ts';
import { isJson } from '../body/is-json.ts';
import { type RecorderDeps, recordDelivery, senderDeliveryIdIn } from './record-delivery.ts';
import { hasSignature, type VerificationDeps, verifyByNewest } from './signatures.ts';
import type { WebhookRateLimit } from './webhook-rate-limit.ts';
import type { WebhookTokens } from './webhook-tokens.ts';

export interface IntakeDeps extends RecorderDeps, VerificationDeps {
  readonly tokens: WebhookTokens;
  readonly rateLimit: WebhookRateLimit;
  /** Of deliveries without a valid signature, to webhooks that require one. */
  readonly invalidLimit: WebhookRateLimit;
  readonly bodyLimitBytes: number;
  readonly heldBodies: HeldBodies;
}

/** After a body that took longer, the webhook is looked up again, because it may have been deactivated. In milliseconds. */
const slowBodyMs = 1_000;
const failure = { code: 'WEBHOOK_ERROR', message: 'Failed to receive the delivery' } as const;
const noWebhook = 'Webhook not found or inactive';
const { path } = webhookIntake.receiveCall;

/** Receives deliveries. The route needs NATS only, and comes before the others, because it is called most often. */
export function bindIntake(app: Express, deps: IntakeDeps): void {
  app.post(expressPath(path), markRoute(path), async (request: Request, response: Response) => {
    const position = await orFail(failure, () => receive(request, response, deps));
    send(response, jsonAnswer({ message: 'Webhook received' }, { 'X-Event-Position': position }));
  });
}

async function receive(request: Request, response: Response, deps: IntakeDeps): Promise<string> {
  const tokenHash = hashOf(request.params.token);
  const found = await findActive(tokenHash, deps);
  admit(found, request.headers, deps);
  const startedAt = performance.now();
  // Not for the user who created it: who knows no more than the address must not take the place of that user's requests.
  const owner = `webhook:${found.webhookId}`;
  const limits = { maxBytes: deps.bodyLimitBytes, heldBodies: deps.heldBodies, owner };
  const body = await receiveBody(request, response, limits).catch((error: unknown) => {
    if (isVerified(found)) deps.invalidLimit.take(found.webhookId);
    throw error;
  });
  const known = performance.now() - startedAt > slowBodyMs ? await findActive(tokenHash, deps) : found;
  const { headers } = request;
  const findNewest = async () => {
    deps.invalidLimit.take(found.webhookId);
    return assertActive(await deps.tokens.findNewest(tokenHash));
  };
  const webhook = await verifyByNewest(known, { headers, body }, { ...deps, findNewest });
  if (isVerified(found)) deps.rateLimit.take(found.webhookId);
  if (!(await isJson(body))) throw badRequest('The body is not JSON in UTF-8');
  return recordDelivery(deps, {
    webhook,
    body,
    sourceIp: addressOf(request),
    senderDeliveryId: senderDeliveryIdIn(headers),
    requestId: requestIdOf(response),
  });
}

/**
 * Decides before the body is read, so that a refused request costs little. Where signatures are required, only deliveries
 * with a valid one count, so that those who know no more than the address do not use up what the sender may send.
 * @throws WireError 429
 */
function admit(webhook: WebhookToken, headers: IncomingHttpHeaders, { rateLimit, invalidLimit }: IntakeDeps): void {
  const { webhookId, verification } = webhook;
  if (!isVerified(webhook)) rateLimit.take(webhookId);
  else if (hasSignature(headers, verification.type)) rateLimit.assertLeft(webhookId);
  else invalidLimit.assertLeft(webhookId);
}

function isVerified({ verification }: WebhookToken): boolean {
  return verification.type !== 'none';
}

function hashOf(token: unknown): string {
  if (typeof token !== 'string' || !webhookTokenPattern.test(token)) throw notFound(noWebhook);
  return hash('sha256', token);
}

async function findActive(tokenHash: string, { tokens }: IntakeDeps): Promise<WebhookToken> {
  return assertActive(await tokens.find(tokenHash));
}

function assertActive(webhook: WebhookToken | undefined): WebhookToken {
  if (webhook?.state !== 'active') throw notFound(noWebhook);
  return webhook;
}
