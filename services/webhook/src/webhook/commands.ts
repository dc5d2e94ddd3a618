import { hash, randomInt } from 'node:crypto';
import {
  defaultColumns,
  type ReplyOf,
  type RequestOf,
  type SealedVerification,
  tokenPrefixLength,
  type WebhookEventOf,
  type WebhookReply,
  type webhook,
  webhookSecrets,
  webhookSubjects,
} from '@mneme/contracts';
import { contended, type EventContext, execute, type Position } from '@mneme/event-store';
import { assertRoom, type CommandResult, findLasting } from '@mneme/read-models';
import type { Sealing } from '@mneme/service-kit';
import type { WebhookDeps } from '../deps.ts';
import { DomainError } from '../errors.ts';
import { findProject, requireProject } from '../project-rows/queries.ts';
import { addTable, assertRoomForTable } from '../table/commands.ts';
import { requireTableOf } from '../table/queries.ts';
import { defaultTableName } from '../table-names/commands.ts';
import { type WebhookCommand, webhookDecider } from './decider.ts';
import { findWebhook, toWebhook, type WebhookQuery } from './queries.ts';

type CreateWebhookRequest = RequestOf<typeof webhook.createWebhook>;

/** What the record of a webhook takes in the bucket that the gateway reads, with the secret of its signatures, in bytes. */
const recordBytes = 1_000;
const unsigned = { type: 'none', secret: null } as const;
const tokenAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const tokenLength = 32;

/**
 * @throws DomainError `project-not-found`, `table-not-found`; `webhook-not-found` when the command's webhook was deleted
 * @throws WireError 409 when the user has as many webhooks as one may have; 503 when there is no room for its record
 */
export async function createWebhook(
  deps: WebhookDeps,
  request: CreateWebhookRequest,
  context: EventContext,
): Promise<CommandResult<WebhookReply>> {
  await requireProject(deps, request);
  const { userId, projectId, name, table, deduplicate, commandId } = request;
  if (table && 'id' in table) await requireTableOf(deps, projectId, table.id);
  const beforeNew = () => assertRoomFor(deps, request);
  const webhookId = await deps.ids.assign({ kind: 'webhook', userId, commandId, beforeNew }, context);
  const tableId = await targetOf(deps, request, context);
  const appended = await create(
    deps,
    deps.newToken(),
    {
      webhookId,
      projectId,
      tableId,
      name,
      deduplicate,
      commandId,
      verification: sealVerification(deps.sealing, webhookId, request.verification),
      createdBy: userId,
      createdAt: null,
      isActive: true,
    },
    context,
  );
  const position = await deps.progress.confirm(webhookSubjects.webhook(webhookId), appended);
  return { value: await readBack(deps, webhookId), position };
}

/** @throws DomainError `webhook-not-found` */
export async function updateWebhook(
  deps: WebhookDeps,
  request: RequestOf<typeof webhook.updateWebhook>,
  context: EventContext,
): Promise<CommandResult<WebhookReply>> {
  await findWebhook(deps, request);
  const { webhookId, name, isActive, deduplicate } = request;
  const verification = request.verification && sealVerification(deps.sealing, webhookId, request.verification);
  const command = { type: 'ChangeWebhook', change: { name, isActive, deduplicate, verification } } as const;
  const position = await executeAndConfirm(deps, webhookId, command, context, context.signal);
  return { value: await readBack(deps, webhookId), position };
}

/**
 * Deletes a webhook. Its logs are no longer found when this returns; its deliveries are erased from the event log in the
 * background.
 * @throws DomainError `webhook-not-found`
 */
export async function deleteWebhook(
  deps: WebhookDeps,
  request: WebhookQuery,
  context: EventContext,
): Promise<CommandResult<{ name: string; calls: number }>> {
  const { webhookId } = request;
  const { name } = await findWebhook(deps, request);
  // Deliveries that came until now are processed first, so that they become rows, which stay.
  await deps.deliveryWait.untilProcessed([await deps.aggregates.ofWebhook(webhookId)]);
  const { totalCalls: deliveries } = await findWebhook(deps, request);
  const position = await executeAndConfirm(deps, webhookId, { type: 'DeleteWebhook' }, context, context.signal);
  return { value: { name, calls: deliveries }, position };
}

/**
 * Imports a webhook of another system with its token, so that its senders can go on as before. Importing the same token again changes
 * nothing.
 * @throws DomainError `project-not-found`, `table-not-found`; `webhook-deleted` when it was deleted since
 */
export async function importWebhook(
  deps: WebhookDeps,
  request: RequestOf<typeof webhook.importWebhook>,
  context: EventContext,
): Promise<ReplyOf<typeof webhook.importWebhook>> {
  const { projectId, tableId, token, createdAt, verification = unsigned, ...record } = request;
  if (!(await findProject(deps, projectId))) throw new DomainError('project-not-found');
  if (tableId !== null) await requireTableOf(deps, projectId, tableId);
  const { tokenHash } = markOf(token);
  const existing = await findLasting(deps, undefined, () => deps.rows().webhooks.findOne({ tokenHash }));
  if (existing) return { id: existing._id, isNew: false, verification: existing.verification.type };
  const commandId = `import ${tokenHash}`;
  // The token alone identifies the record, so the command belongs to no user.
  const webhookId = await deps.ids.assign({ kind: 'webhook', userId: 0, commandId }, context);
  const imported = {
    ...record,
    webhookId,
    projectId,
    tableId,
    commandId,
    deduplicate: false,
    verification: sealVerification(deps.sealing, webhookId, verification),
    createdAt: createdAt === null ? null : new Date(createdAt).toISOString(),
  };
  try {
    const position = await create(deps, token, imported, context);
    // Another import of the same record may have been first, and may have brought another verification.
    const stored = await deps.rows().webhooks.findOne({ tokenHash });
    return { id: webhookId, isNew: position !== undefined, verification: (stored?.verification ?? verification).type };
  } catch (error) {
    const isDeleted = error instanceof DomainError && error.code === 'webhook-not-found';
    throw isDeleted ? new DomainError('webhook-deleted') : error;
  }
}

/** Decides about a webhook; of its history only what came after the last decision of this process is read. */
export function executeOnWebhook(
  { store, webhookStates: cache }: Pick<WebhookDeps, 'store' | 'webhookStates'>,
  webhookId: number,
  command: WebhookCommand,
  context: EventContext,
  signal?: AbortSignal,
): Promise<{ readonly position: Position | undefined }> {
  const options = { ...contended, cache, signal };
  return execute(store, webhookDecider, webhookSubjects.webhook(webhookId), command, context, options);
}

/** 32 random characters from a-z and 0-9. */
export function newToken(): string {
  return Array.from({ length: tokenLength }, () => tokenAlphabet[randomInt(tokenAlphabet.length)]).join('');
}

/** What is stored of a token without sealing it. */
export function markOf(token: string): { tokenHash: string; tokenPrefix: string } {
  const tokenHash = hash('sha256', token);
  return { tokenHash, tokenPrefix: token.slice(0, tokenPrefixLength) };
}

type Created = WebhookEventOf<'WebhookCreated'>['data'];

function create(
  deps: WebhookDeps,
  token: string,
  webhook: Omit<Created, 'tokenHash' | 'tokenPrefix' | 'sealedToken'>,
  context: EventContext,
): Promise<Position | undefined> {
  const sealedToken = deps.sealing.seal(token, webhookSecrets.token(webhook.webhookId));
  const created = { ...webhook, ...markOf(token), sealedToken };
  return executeAndConfirm(deps, webhook.webhookId, { type: 'CreateWebhook', webhook: created }, context);
}

/** Decides about a webhook, and waits until the read model and the bucket have applied it. */
async function executeAndConfirm(
  deps: WebhookDeps,
  webhookId: number,
  command: WebhookCommand,
  context: EventContext,
  signal?: AbortSignal,
): Promise<Position | undefined> {
  const subject = webhookSubjects.webhook(webhookId);
  const { position } = await executeOnWebhook(deps, webhookId, command, context, signal);
  await deps.progress.confirm(subject, position);
  return position;
}

/**
 * @throws WireError 409 when the user has as many webhooks as one may have, or the project as many tables; 503 when the gateway
 * could not recognise another one
 */
async function assertRoomFor(deps: WebhookDeps, { userId, projectId, table }: CreateWebhookRequest): Promise<void> {
  const { rows, itemsPerUser: most, tokenRoom } = deps;
  const filter = { createdBy: userId };
  await assertRoom({ rows: rows().webhooks, filter, most, what: 'webhooks', owner: 'user', isDeletable: true });
  if (table && 'newName' in table) await assertRoomForTable(deps, projectId);
  await tokenRoom.take(String(userId), recordBytes);
}

async function readBack(deps: WebhookDeps, webhookId: number): Promise<WebhookReply> {
  const row = await deps.rows().webhooks.findOne({ _id: webhookId });
  if (!row) throw new DomainError('webhook-not-found');
  return toWebhook(deps, row);
}

/** The table that a new webhook writes to; a repeated command finds the table that it has created. */
async function targetOf(
  deps: WebhookDeps,
  { table, ...request }: CreateWebhookRequest,
  context: EventContext,
): Promise<number | null> {
  if (table === null) return null;
  if ('id' in table) return table.id;
  const name = table.newName || defaultTableName(deps.clock());
  const { tableId } = await addTable(deps, { ...request, name, columns: [...defaultColumns] }, context);
  return tableId;
}

function sealVerification(
  sealing: Sealing,
  webhookId: number,
  { type, secret }: CreateWebhookRequest['verification'],
): SealedVerification {
  if (type === 'none' || secret === null) return { type: 'none', sealedSecret: null };
  return { type, sealedSecret: sealing.seal(secret, webhookSecrets.verification(webhookId)) };
}
