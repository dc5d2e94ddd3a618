import { webhook } from '@mneme/contracts';
import { formatPosition } from '@mneme/event-store';
import { onePerCommand, type RequestContext, type RequestHandler, type Service } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import { replayDeliveries, replayDelivery, replayProgress } from './delivery/commands.ts';
import { followDeliveries } from './delivery/follow-deliveries.ts';
import { listDeliveries } from './delivery/queries.ts';
import { failingAs } from './errors.ts';
import { createTable } from './table/commands.ts';
import { getTable, listTables } from './table/queries.ts';
import { exportRows, listRows } from './table/row-queries.ts';
import { deleteWebhook, updateWebhook } from './webhook/change-webhook.ts';
import { createWebhook } from './webhook/commands.ts';
import { importWebhook } from './webhook/import-webhook.ts';
import { listWebhooks } from './webhook/queries.ts';
import type { Carried, Webhooks } from './webhooks.ts';

/** Answers about webhooks and their calls. */
export function serveWebhooks(service: Service, webhooks: Webhooks, connection: NatsConnection): void {
  const create = onePerCommand(carrying(webhooks, createWebhook));
  service.serve(webhook.listWebhooks, failingAs('FETCH_ERROR', reading(webhooks, listWebhooks)));
  service.serve(webhook.createWebhook, failingAs('CREATE_ERROR', create));
  service.serve(webhook.updateWebhook, failingAs('UPDATE_ERROR', carrying(webhooks, updateWebhook)));
  service.serve(webhook.deleteWebhook, failingAs('DELETE_ERROR', carrying(webhooks, deleteWebhook)));
  service.serve(webhook.importWebhook, (request, context) => importWebhook(webhooks, request, context));
  service.serve(webhook.listDeliveries, failingAs('FETCH_ERROR', reading(webhooks, listDeliveries)));
  service.serve(
    webhook.followDeliveries,
    failingAs('FETCH_ERROR', (query, { signal }) => followDeliveries(webhooks, connection, query, signal)),
  );
  service.serve(webhook.replayDelivery, failingAs('UPDATE_ERROR', carrying(webhooks, replayDelivery)));
  service.serve(webhook.replayDeliveries, failingAs('UPDATE_ERROR', carrying(webhooks, replayDeliveries)));
  service.serve(webhook.replayProgress, failingAs('FETCH_ERROR', reading(webhooks, replayProgress)));
}

/** Answers about tables and their rows. */
export function serveTables(service: Service, webhooks: Webhooks): void {
  const create = onePerCommand(carrying(webhooks, createTable));
  service.serve(webhook.listTables, failingAs('FETCH_ERROR', reading(webhooks, listTables)));
  service.serve(webhook.createTable, failingAs('CREATE_ERROR', create));
  service.serve(webhook.getTable, failingAs('FETCH_ERROR', reading(webhooks, getTable)));
  service.serve(webhook.listRows, failingAs('FETCH_ERROR', reading(webhooks, listRows)));
  service.serve(
    webhook.exportRows,
    failingAs('FETCH_ERROR', (query) => exportRows(webhooks, query)),
  );
}

/** A question, once the read model has applied what the caller names. */
function reading<Query, Rep>(
  webhooks: Webhooks,
  answer: (webhooks: Webhooks, query: Query) => Promise<Rep>,
): RequestHandler<Query & { readonly minSequence?: number | undefined }, Rep> {
  return async (query) => {
    await webhooks.progress.reach(query.minSequence);
    return answer(webhooks, query);
  };
}

/** A command, with the position of what it did as it crosses to the gateway. */
function carrying<Req, T>(
  webhooks: Webhooks,
  carryOut: (webhooks: Webhooks, request: Req, context: RequestContext) => Promise<Carried<T>>,
) {
  return async (request: Req, context: RequestContext) => {
    const { value, position } = await carryOut(webhooks, request, context);
    return { value, position: position ? formatPosition(position) : null };
  };
}
