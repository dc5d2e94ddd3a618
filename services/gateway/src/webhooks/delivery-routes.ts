import { nextOffset, webhook, type webhookRoutes } from '@mneme/contracts';
import type { UserCaller } from '../auth/caller.ts';
import type { GatewayDeps } from '../deps.ts';
import { commandBy, type HttpEndpoints, queryBy, replyTo } from '../routing/http-endpoint.ts';

/** The deliveries that webhooks received, and their replays. */
export function deliveryEndpoints({ send, timeoutMs }: Pick<GatewayDeps, 'send' | 'timeoutMs'>) {
  return {
    listCalls: async ({ path, query }, scope) => {
      const request = { ...queryBy(scope), webhookId: path.id, ...query };
      const { logs, pagination } = await send(webhook.listDeliveries, request, scope);
      return { body: { logs, pagination: { ...pagination, next_offset: nextOffset(pagination, logs.length) } } };
    },
    replayCall: async ({ path }, scope) => {
      const command = { ...commandBy(scope), webhookId: path.id, deliveryId: path.logId, isRepeat: scope.isRepeat };
      const reply = await send(webhook.replayDelivery, command, scope, timeoutMs);
      // The answer has the payload, which is erased with the webhook.
      return { ...replyTo(reply), isReplayable: false };
    },
    replayCalls: async ({ path, body: { since, status, replace } }, scope) => {
      const command = { ...commandBy(scope), webhookId: path.id, since: since ?? null, status, isReplacing: replace };
      return replyTo(await send(webhook.replayDeliveries, command, scope));
    },
    replayProgress: async ({ path }, scope) => {
      return { body: await send(webhook.replayProgress, { ...queryBy(scope), webhookId: path.id }, scope) };
    },
  } satisfies Partial<HttpEndpoints<typeof webhookRoutes, UserCaller>>;
}
