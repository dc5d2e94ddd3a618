import { webhook } from '@mneme/contracts';
import { asIntact, commandOf } from '@mneme/read-models';
import { onePerCommand, type RequestHandler, type Service } from '@mneme/service-kit';
import type { Slot } from '@mneme/workers/fair-limiter';
import type { NatsConnection } from '@nats-io/nats-core';
import { replayDeliveries, replayDelivery } from './delivery/commands.ts';
import { waitWithout } from './delivery/delivery-wait.ts';
import { followDeliveries } from './delivery/follow-deliveries.ts';
import { listDeliveries, replayProgress } from './delivery/queries.ts';
import type { WebhookDeps } from './deps.ts';
import { failingAs } from './errors.ts';
import { createTable } from './table/commands.ts';
import { exportRows, getTable, listRows, listTables } from './table/queries.ts';
import { createWebhook, deleteWebhook, importWebhook, updateWebhook } from './webhook/commands.ts';
import { getWebhook, listWebhooks } from './webhook/queries.ts';

/** Answers requests about webhooks and their deliveries. */
export function serveWebhooks(service: Pick<Service, 'serve'>, deps: WebhookDeps, connection: NatsConnection): void {
  const create = onePerCommand(commandOf(deps, createWebhook));
  service.serve(webhook.listWebhooks, failingAs('FETCH_ERROR', queryOf(deps, listWebhooks)));
  service.serve(webhook.getWebhook, failingAs('FETCH_ERROR', queryOf(deps, getWebhook)));
  service.serve(webhook.createWebhook, failingAs('CREATE_ERROR', create));
  service.serve(webhook.updateWebhook, failingAs('UPDATE_ERROR', commandOf(deps, updateWebhook)));
  service.serve(webhook.deleteWebhook, failingAs('DELETE_ERROR', commandOf(deps, deleteWebhook)));
  service.serve(webhook.importWebhook, (request, context) => importWebhook(deps, request, context));
  service.serve(webhook.listDeliveries, failingAs('FETCH_ERROR', queryOf(deps, listDeliveries)));
  service.serve(
    webhook.followDeliveries,
    failingAs('FETCH_ERROR', (query, { signal }) => followDeliveries(deps, connection, query, signal)),
  );
  service.serve(webhook.replayDelivery, failingAs('UPDATE_ERROR', commandOf(deps, replayDelivery)));
  service.serve(webhook.replayDeliveries, failingAs('UPDATE_ERROR', commandOf(deps, replayDeliveries)));
  service.serve(webhook.replayProgress, failingAs('FETCH_ERROR', queryOf(deps, replayProgress)));
}

/** Answers requests about tables and their rows. */
export function serveTables(service: Pick<Service, 'serve'>, deps: WebhookDeps): void {
  const create = onePerCommand(commandOf(deps, createTable));
  service.serve(webhook.listTables, failingAs('FETCH_ERROR', queryOf(deps, listTables)));
  service.serve(webhook.createTable, failingAs('CREATE_ERROR', create));
  service.serve(webhook.getTable, failingAs('FETCH_ERROR', queryOf(deps, getTable)));
  service.serve(webhook.listRows, failingAs('FETCH_ERROR', queryOf(deps, listRows)));
  service.serve(webhook.exportRows, failingAs('FETCH_ERROR', queryOf(deps, exportRows)));
}

/** A query as an endpoint serves it: once the read model has applied the sequence that the request names, by turns of users. */
function queryOf<Query extends { readonly userId: number }, Rep>(
  deps: WebhookDeps,
  query: (deps: WebhookDeps, request: Query) => Promise<Rep>,
): RequestHandler<Query & { readonly minSequence?: number | undefined }, Rep> {
  return async (request, context) => {
    await deps.progress.reach(request.minSequence);
    const read = (slot: Slot) => query({ ...deps, deliveryWait: waitWithout(slot, deps.deliveryWait) }, request);
    return asIntact(deps.progress, () => deps.readSlots.run([String(request.userId), ''], read, context));
  };
}
