import { webhook } from '@mneme/contracts';
import { formatPosition } from '@mneme/event-store';
import { onePerCommand, type RequestContext, type RequestHandler, type Service } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import { followCalls } from './call/follow-calls.ts';
import { listCalls } from './call/list-calls.ts';
import { failingAs } from './errors.ts';
import { replayCall, replayCalls, replayProgress } from './replay/replay-calls.ts';
import { exportRows, listRows } from './row/read-rows.ts';
import { createTable } from './table/create-table.ts';
import { getTable, listTables } from './table/list-tables.ts';
import { deleteWebhook, updateWebhook } from './webhook/change-webhook.ts';
import { createWebhook } from './webhook/create-webhook.ts';
import { importWebhook } from './webhook/import-webhook.ts';
import { listWebhooks } from './webhook/list-webhooks.ts';
import type { Carried, Webhooks } from './webhooks.ts';

/** Answers about webhooks and their calls. */
export function serveWebhooks(service: Service, webhooks: Webhooks, connection: NatsConnection): void {
  const create = onePerCommand(carrying(webhooks, createWebhook));
  service.serve(webhook.listWebhooks, failingAs('FETCH_ERROR', reading(webhooks, listWebhooks)));
  service.serve(webhook.createWebhook, failingAs('CREATE_ERROR', create));
  service.serve(webhook.updateWebhook, failingAs('UPDATE_ERROR', carrying(webhooks, updateWebhook)));
  service.serve(webhook.deleteWebhook, failingAs('DELETE_ERROR', carrying(webhooks, deleteWebhook)));
  service.serve(webhook.importWebhook, (request, context) => importWebhook(webhooks, request, context));
  service.serve(webhook.listCalls, failingAs('FETCH_ERROR', reading(webhooks, listCalls)));
  service.serve(
    webhook.followCalls,
    failingAs('FETCH_ERROR', (query, { signal }) => followCalls(webhooks, connection, query, signal)),
  );
  service.serve(webhook.replayCall, failingAs('UPDATE_ERROR', carrying(webhooks, replayCall)));
  service.serve(webhook.replayCalls, failingAs('UPDATE_ERROR', carrying(webhooks, replayCalls)));
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
