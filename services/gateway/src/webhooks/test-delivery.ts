import { hash } from 'node:crypto';
import { type WebhookToken, webhook, type webhookRoutes } from '@mneme/contracts';
import type { UserCaller } from '../auth/caller.ts';
import { conflict, tooLarge } from '../errors.ts';
import { rawMember } from '../http/input/raw-member.ts';
import type { HttpEndpoints, UserScope } from '../routing/http-endpoint.ts';
import type { SendRequest } from '../send-request.ts';
import type { IntakeDeps } from './intake/bind-intake.ts';
import { recordDelivery } from './intake/record-delivery.ts';

/** Where deliveries of tests come from, instead of an address. */
const testSource = 'test';

export interface TestDeliveryDeps {
  readonly send: SendRequest;
  readonly intake: Pick<
    IntakeDeps,
    'tokens' | 'rateLimit' | 'store' | 'maxEventBytes' | 'senderDeliveries' | 'logger' | 'bodyLimitBytes'
  >;
}

/**
 * Records a delivery that the user, and no sender, has made. It takes the same way as any other; only a signature is not
 * asked for, since the user may manage the webhook.
 */
export function testDeliveryEndpoints(deps: TestDeliveryDeps) {
  return {
    testWebhook: async ({ path }, scope) => {
      const found = await findActive(deps, path.id, scope);
      deps.intake.rateLimit.take(found.webhookId);
      const payload = scope.bodyBytes && rawMember(scope.bodyBytes, 'payload');
      const position = await recordDelivery(deps.intake, {
        webhook: found,
        body: bytesOf(payload ?? example(), deps.intake.bodyLimitBytes),
        sourceIp: testSource,
        senderDeliveryId: undefined,
        requestId: scope.requestId,
        onceId: `test-${scope.commandId}`,
      });
      return { body: { message: 'Test delivery received' }, position };
    },
  } satisfies Partial<HttpEndpoints<typeof webhookRoutes, UserCaller>>;
}

/** @throws WireError 404 when the user may not manage the webhook, 409 when it is inactive or its token is lost */
async function findActive(
  { send, intake }: TestDeliveryDeps,
  webhookId: number,
  scope: UserScope,
): Promise<WebhookToken> {
  const { token } = await send(webhook.getWebhook, { userId: scope.caller.userId, webhookId }, scope);
  if (token === '') throw conflict('The token of the webhook cannot be decrypted; create a new webhook');
  const found = await intake.tokens.find(hash('sha256', token));
  if (found?.state === 'active') return found;
  throw conflict('The webhook is inactive and receives nothing; activate it first');
}

function example(): string {
  return JSON.stringify({ test: true, message: 'A test delivery', sent_at: new Date().toISOString() });
}

/** @throws WireError 413 when it is larger than a sender's may be */
function bytesOf(payload: string, limitBytes: number): Buffer {
  const body = Buffer.from(payload);
  if (body.length <= limitBytes) return body;
  throw tooLarge(`The payload is larger than ${limitBytes} bytes`);
}
