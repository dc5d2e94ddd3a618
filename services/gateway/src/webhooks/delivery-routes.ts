import { nextOffset, webhook, type webhookRoutes } from '@mneme/contracts';
import type { UserCaller } from '../auth/caller.ts';
import type { EndpointDeps } from '../deps.ts';
import { type HttpEndpoints, replyTo } from '../routing/http-endpoint.ts';

/** The deliveries that webhooks received, and their replays. */
export function deliveryEndpoints({ send, timeoutMs }: Pick<EndpointDeps, 'send' | 'timeoutMs'>) {
  return {
    listCalls: async ({ path, query }, { minSequence, ...scope }) => {
      const request = { userId: scope.caller.userId, webhookId: path.id, ...query, minSequence };
      const { logs, pagination } = await send(webhook.listDeliveries, request, scope);
      return { body: { logs, pagination: { ...pagination, next_offset: nextOffset(pagination, logs.length) } } };
    },
    replayCall: async ({ path }, scope) => {
      const request = { userId: scope.caller.userId, webhookId: path.id, deliveryId: path.logId };
      const { commandId, isRepeat } = scope;
      const reply = await send(webhook.replayDelivery, { ...request, commandId, isRepeat }, scope, timeoutMs);
      // The answer has the payload, which is erased with the webhook.
      return { ...replyTo(reply), isKept: false };
    },
    replayCalls: async ({ path, body: { since, status } }, scope) => {
      const request = { userId: scope.caller.userId, webhookId: path.id, since: since ?? null, status };
      const command = { ...request, commandId: scope.commandId };
      return replyTo(await send(webhook.replayDeliveries, command, scope));
    },
    replayProgress: async ({ path }, { minSequence, ...scope }) => {
      const request = { userId: scope.caller.userId, webhookId: path.id, minSequence };
      return { body: await send(webhook.replayProgress, request, scope) };
    },
  } satisfies Partial<HttpEndpoints<typeof webhookRoutes, UserCaller>>;
}
