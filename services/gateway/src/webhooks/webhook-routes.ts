import { webhook, webhookIntake, type webhookRoutes } from '@mneme/contracts';
import type { UserCaller } from '../auth/caller.ts';
import type { GatewayDeps } from '../deps.ts';
import { commandBy, type HttpEndpoints, queryBy, replyTo } from '../routing/http-endpoint.ts';

type WebhookRouteDeps = Pick<GatewayDeps, 'send' | 'publicBaseUrl' | 'timeoutMs'>;

/** Webhooks belong to the webhook service, which decides who may manage which. A deletion first waits for deliveries. */
export function webhookEndpoints({ send, publicBaseUrl, timeoutMs }: WebhookRouteDeps) {
  // The service cannot decrypt a token whose `SECRETS_KEY` was lost.
  const urlOf = (token: string, origin: string) =>
    token === '' ? '' : `${publicBaseUrl ?? origin}${webhookIntake.receiveCall.path.replace('{token}', token)}`;
  return {
    listWebhooks: async ({ path: { projectId } }, scope) => {
      const found = await send(webhook.listWebhooks, { ...queryBy(scope), projectId }, scope);
      return { body: found.map((each) => ({ ...each, url: urlOf(each.token, scope.origin) })) };
    },
    getWebhook: async ({ path }, scope) => {
      return { body: await send(webhook.getWebhook, { ...queryBy(scope), webhookId: path.id }, scope) };
    },
    createWebhook: async ({ path, body }, scope) => {
      const request = {
        ...commandBy(scope),
        projectId: path.projectId,
        name: body.name,
        table: tableFor(body),
        verification: verificationOf(body.verification ?? { type: 'none' }),
        deduplicate: body.deduplicate ?? false,
      };
      const { value, position } = await send(webhook.createWebhook, request, scope);
      return { body: { ...value, url: urlOf(value.token, scope.origin) }, position };
    },
    updateWebhook: async ({ path, body }, scope) => {
      const request = {
        userId: scope.caller.userId,
        webhookId: path.id,
        name: body.name ?? null,
        isActive: body.isActive ?? null,
        deduplicate: body.deduplicate ?? null,
        verification: body.verification ? verificationOf(body.verification) : null,
      };
      return replyTo(await send(webhook.updateWebhook, request, scope));
    },
    deleteWebhook: async ({ path }, scope) => {
      const request = { userId: scope.caller.userId, webhookId: path.id };
      const { value, position } = await send(webhook.deleteWebhook, request, scope, timeoutMs);
      return { body: { message: `Webhook '${value.name}' has been deleted` }, position };
    },
  } satisfies Partial<HttpEndpoints<typeof webhookRoutes, UserCaller>>;
}

interface WantedTable {
  readonly tableId?: number | null | undefined;
  readonly createNewTable?: boolean | null | undefined;
  readonly newTableName?: string | null | undefined;
}

/** A new table takes precedence over an existing one; a blank name means a generated one. */
function tableFor({ tableId, createNewTable, newTableName }: WantedTable) {
  if (createNewTable === true) return { newName: newTableName?.trim() ? newTableName : null };
  return typeof tableId === 'number' ? { id: tableId } : null;
}

function verificationOf<Type extends string>({ type, secret }: { type: Type; secret?: string | null | undefined }) {
  return { type, secret: type === 'none' ? null : (secret ?? null) };
}
