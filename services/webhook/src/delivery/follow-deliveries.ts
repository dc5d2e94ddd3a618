import { type ReplyOf, type RequestOf, type webhook, webhookSubjects } from '@mneme/contracts';
import type { NatsConnection } from '@nats-io/nats-core';
import type { WebhookDeps } from '../deps.ts';
import { findWebhook } from '../webhook/queries.ts';
import { processedDeliveries } from './queries.ts';

/**
 * The processed deliveries after one, oldest first; waits for the first of them, `waitMs` milliseconds at most. An event
 * that is appended to the log is also a NATS message, so a subscription tells when a delivery comes.
 */
export async function followDeliveries(
  deps: WebhookDeps,
  connection: NatsConnection,
  query: RequestOf<typeof webhook.followDeliveries>,
  signal: AbortSignal,
): Promise<ReplyOf<typeof webhook.followDeliveries>> {
  await findWebhook(deps, query);
  const aggregate = await deps.aggregates.ofWebhook(query.webhookId);
  const deadline = performance.now() + query.waitMs;
  for (;;) {
    // Subscribed before the read, so that no delivery is missed in between.
    using arrival = nextArrival(connection, webhookSubjects.deliveries(query.webhookId), signal);
    const upTo = await deps.deliveryWait.untilProcessed([aggregate]);
    const deliveries = await processedDeliveries(deps, { ...query, upTo });
    const leftMs = deadline - performance.now();
    if (deliveries.length > 0 || leftMs <= 0) return { deliveries };
    if (!(await arrival.within(leftMs))) return { deliveries };
  }
}

interface Arrival extends Disposable {
  /** Resolves true when a message has come since the subscription, false when none has within `waitMs` milliseconds. */
  within(waitMs: number): Promise<boolean>;
}

function nextArrival(connection: NatsConnection, subject: string, signal: AbortSignal): Arrival {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const subscription = connection.subscribe(subject, { callback: () => resolve(true) });
  const end = () => resolve(false);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
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
