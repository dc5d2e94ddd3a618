import type { DeliveryReply } from '@mneme/contracts';
import type { NatsConnection } from '@nats-io/nats-core';
import { findWebhook } from '../project-rows/queries.ts';
import type { Webhooks } from '../webhooks.ts';
import { settledDeliveries, type WebhookQuery } from './queries.ts';

/**
 * The calls after one, oldest first, when they are worked off; waits for the first of them, `waitMs` milliseconds at most.
 * What is appended to the log is a message like any other, so that a subscription tells when a call comes.
 */
export async function followDeliveries(
  webhooks: Webhooks,
  connection: NatsConnection,
  query: WebhookQuery & { afterDeliveryId: number; waitMs: number; limit: number },
  signal: AbortSignal,
): Promise<{ deliveries: DeliveryReply[] }> {
  await findWebhook(webhooks, query);
  const aggregate = await webhooks.aggregates.ofWebhook(query.webhookId);
  const deadline = Date.now() + query.waitMs;
  for (;;) {
    using arrival = nextArrival(connection, webhooks.subjects.deliveries(query.webhookId), signal);
    const upTo = await webhooks.deliveryWait.settle([aggregate]);
    const deliveries = await settledDeliveries(webhooks, { ...query, upTo });
    const leftMs = deadline - Date.now();
    if (deliveries.length > 0 || leftMs <= 0) return { deliveries };
    if (!(await arrival.within(leftMs))) return { deliveries };
  }
}

interface Arrival extends Disposable {
  /** Resolves true when something has come since the beginning, false when nothing has after `waitMs` milliseconds. */
  within(waitMs: number): Promise<boolean>;
}

function nextArrival(connection: NatsConnection, subject: string, signal: AbortSignal): Arrival {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const subscription = connection.subscribe(subject, { callback: () => resolve(true) });
  const end = () => resolve(false);
  signal.addEventListener('abort', end, { once: true });
  let timer: NodeJS.Timeout | undefined;
  return {
    within: (waitMs) => {
      timer = setTimeout(end, waitMs);
      return promise;
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      subscription.unsubscribe();
    },
  };
}
