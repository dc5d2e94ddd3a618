import { webhook } from '@mneme/contracts';
import { asIntact, commandOf } from '@mneme/read-models';
import { onePerCommand, type RequestHandler, type Service } from '@mneme/service-kit';
import type { Slot } from '@mneme/workers/fair-limiter';
import type { NatsConnection } from '@nats-io/nats-core';
import { replayDeliveries, replayDelivery } from './delivery/commands.ts';
import { waitWithout } from './delivery/delivery-wait.ts';
import { followDeliveries } from './delivery/follow-deliveries.ts';
import { listDeliveries, replayProgress } from './delivery/queries.ts';
import type { Webhooks } from './deps.ts';
import { failingAs } from './errors.ts';
import { createTable } from './table/commands.ts';
import { exportRows, getTable, listRows, listTables } from './table/queries.ts';
import { createWebhook, deleteWebhook, importWebhook, updateWebhook } from './webhook/commands.ts';
import { getWebhook, listWebhooks } from './webhook/queries.ts';

/** Answers requests about webhooks and their deliveries. */
export function serveWebhooks(service: Pick<Service, 'serve'>, webhooks: Webhooks, connection: NatsConnection): void {
  const create = onePerCommand(commandOf(webhooks, createWebhook));
  service.serve(webhook.listWebhooks, failingAs('FETCH_ERROR', queryOf(webhooks, listWebhooks)));
  service.serve(webhook.getWebhook, failingAs('FETCH_ERROR', queryOf(webhooks, getWebhook)));
  service.serve(webhook.createWebhook, failingAs('CREATE_ERROR', create));
  service.serve(webhook.updateWebhook, failingAs('UPDATE_ERROR', commandOf(webhooks, updateWebhook)));
  service.serve(webhook.deleteWebhook, failingAs('DELETE_ERROR', commandOf(webhooks, deleteWebhook)));
  service.serve(webhook.importWebhook, (request, context) => importWebhook(webhooks, request, context));
  service.serve(webhook.listDeliveries, failingAs('FETCH_ERROR', queryOf(webhooks, listDeliveries)));
  service.serve(
    webhook.followDeliveries,
    failingAs('FETCH_ERROR', (query, { signal }) => followDeliveries(webhooks, connection, query, signal)),
  );
  service.serve(webhook.replayDelivery, failingAs('UPDATE_ERROR', commandOf(webhooks, replayDelivery)));
  service.serve(webhook.replayDeliveries, failingAs('UPDATE_ERROR', commandOf(webhooks, replayDeliveries)));
  service.serve(webhook.replayProgress, failingAs('FETCH_ERROR', queryOf(webhooks, replayProgress)));
}

/** Answers requests about tables and their rows. */
export function serveTables(service: Pick<Service, 'serve'>, webhooks: Webhooks): void {
  const create = onePerCommand(commandOf(webhooks, createTable));
  service.serve(webhook.listTables, failingAs('FETCH_ERROR', queryOf(webhooks, listTables)));
  service.serve(webhook.createTable, failingAs('CREATE_ERROR', create));
  service.serve(webhook.getTable, failingAs('FETCH_ERROR', queryOf(webhooks, getTable)));
  service.serve(webhook.listRows, failingAs('FETCH_ERROR', queryOf(webhooks, listRows)));
  service.serve(webhook.exportRows, failingAs('FETCH_ERROR', queryOf(webhooks, exportRows)));
}

/** A query as an endpoint serves it: once the read model has applied the sequence that the request names, by turns of users. */
function queryOf<Query extends { readonly userId: number }, Rep>(
  webhooks: Webhooks,
  query: (webhooks: Webhooks, request: Query) => Promise<Rep>,
): RequestHandler<Query & { readonly minSequence?: number | undefined }, Rep> {
  return async (request, context) => {
    await webhooks.progress.reach(request.minSequence);
    const read = (slot: Slot) =>
      query({ ...webhooks, deliveryWait: waitWithout(slot, webhooks.deliveryWait) }, request);
    return asIntact(webhooks.progress, () => webhooks.readSlots.run([String(request.userId), ''], read, context));
  };
}
