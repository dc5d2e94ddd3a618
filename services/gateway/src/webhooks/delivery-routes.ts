import { webhook, type webhookRoutes } from '@mneme/contracts';
import type { UserCaller } from '../auth/caller.ts';
import { orFail } from '../errors.ts';
import type { HttpEndpoints } from '../http/endpoints.ts';
import type { SendRequest } from '../send-request.ts';
import { failures } from './failures.ts';

type Routes = Pick<typeof webhookRoutes, 'listCalls' | 'replayCall' | 'replayCalls' | 'replayProgress'>;

/** The deliveries that webhooks received, and their replays. */
export function deliveryEndpoints({
  call,
  timeoutMs,
}: {
  call: SendRequest;
  timeoutMs: number;
}): HttpEndpoints<Routes, UserCaller> {
  return {
    listCalls: ({ path, query }, { minSequence, ...scope }) =>
      orFail(failures.listDeliveries, async () => {
        const request = { userId: scope.caller.userId, webhookId: path.id, ...query, minSequence };
        return { body: await call(webhook.listDeliveries, request, scope) };
      }),
    replayCall: ({ path }, scope) =>
      orFail(failures.replay, async () => {
        const request = { userId: scope.caller.userId, webhookId: path.id, deliveryId: path.logId };
        const command = { ...request, commandId: scope.commandId };
        const { value, position } = await call(webhook.replayDelivery, command, scope, timeoutMs);
        return { body: value, position };
      }),
    replayCalls: ({ path, body: { since, status } }, scope) =>
      orFail(failures.replay, async () => {
        const request = { userId: scope.caller.userId, webhookId: path.id, since: since ?? null, status };
        const command = { ...request, commandId: scope.commandId };
        const { value, position } = await call(webhook.replayDeliveries, command, scope);
        return { body: value, position };
      }),
    replayProgress: ({ path }, { minSequence, ...scope }) =>
      orFail(failures.replayProgress, async () => {
        const request = { userId: scope.caller.userId, webhookId: path.id, minSequence };
        return { body: await call(webhook.replayProgress, request, scope) };
      }),
  };
}
