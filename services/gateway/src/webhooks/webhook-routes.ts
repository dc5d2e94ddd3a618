import { webhook, webhookIntake, type webhookRoutes } from '@mneme/contracts';
import type { UserCaller } from '../auth/caller.ts';
import { orFail } from '../errors.ts';
import type { HttpEndpoints } from '../http/endpoints.ts';
import type { SendRequest } from '../send-request.ts';
import { failures } from './failures.ts';

type Routes = Pick<typeof webhookRoutes, 'listWebhooks' | 'createWebhook' | 'updateWebhook' | 'deleteWebhook'>;

export interface WebhookRouteDeps {
  readonly call: SendRequest;
  /** The base of the URLs of webhooks; undefined: the origin by which the caller reached the gateway. */
  readonly publicBaseUrl: string | undefined;
  /** How long a caller waits for a deletion, which first waits for deliveries, in milliseconds. */
  readonly timeoutMs: number;
}

/** Webhooks belong to the webhook service, which decides who may manage which. */
export function webhookEndpoints({
  call,
  publicBaseUrl,
  timeoutMs,
}: WebhookRouteDeps): HttpEndpoints<Routes, UserCaller> {
  return {
    listWebhooks: ({ path }, { minSequence, ...scope }) =>
      orFail(failures.listWebhooks, async () => {
        const request = { userId: scope.caller.userId, projectId: path.projectId, minSequence };
        return { body: await call(webhook.listWebhooks, request, scope) };
      }),
    createWebhook: ({ path, body }, scope) =>
      orFail(failures.createWebhook, async () => {
        const request = {
          userId: scope.caller.userId,
          projectId: path.projectId,
          name: body.name,
          table: tableFor(body),
          verification: verificationOf(body.verification ?? { type: 'none' }),
          deduplicate: body.deduplicate ?? false,
          commandId: scope.commandId,
        };
        const { value, position } = await call(webhook.createWebhook, request, scope);
        const incoming = webhookIntake.receiveCall.path.replace('{token}', value.token);
        return { body: { ...value, url: `${publicBaseUrl ?? scope.origin}${incoming}` }, position };
      }),
    updateWebhook: ({ path, body }, scope) =>
      orFail(failures.updateWebhook, async () => {
        const request = {
          userId: scope.caller.userId,
          webhookId: path.id,
          name: body.name ?? null,
          isActive: body.isActive ?? null,
          deduplicate: body.deduplicate ?? null,
          verification: body.verification ? verificationOf(body.verification) : null,
        };
        const { value, position } = await call(webhook.updateWebhook, request, scope);
        return { body: value, position };
      }),
    deleteWebhook: ({ path }, scope) =>
      orFail(failures.deleteWebhook, async () => {
        const request = { userId: scope.caller.userId, webhookId: path.id };
        const { value, position } = await call(webhook.deleteWebhook, request, scope, timeoutMs);
        return { body: { message: `Webhook '${value.name}' has been deleted` }, position };
      }),
  };
}

interface WantedTable {
  readonly tableId?: number | null | undefined;
  readonly createNewTable?: boolean | null | undefined;
  readonly newTableName?: string | null | undefined;
}

/** A new table takes precedence over an existing one; an empty name means a generated one. */
function tableFor({ tableId, createNewTable, newTableName }: WantedTable) {
  if (createNewTable === true) return { newName: newTableName || null };
  return typeof tableId === 'number' ? { id: tableId } : null;
}

function verificationOf<Type extends string>({ type, secret }: { type: Type; secret?: string | null | undefined }) {
  return { type, secret: type === 'none' ? null : (secret ?? null) };
}
