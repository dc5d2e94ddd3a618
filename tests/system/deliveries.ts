import type {
  createdWebhookSchema,
  DeliveryList,
  DeliveryReply,
  ListedWebhookReply,
  RowList,
  TableReply,
} from '@mneme/contracts';
import type { Answer, HeaderFields, HttpClient } from './http-client.ts';
import type { Person } from './person.ts';
import { tokenOf } from './tokens.ts';

export type CreatedWebhook = (typeof createdWebhookSchema)['_output'];

/** A webhook with a table of its own. */
export interface TableWebhook extends CreatedWebhook {
  readonly table_id: number;
}

/** Makes a webhook in the person's own project, unless the fields say otherwise. */
export async function createWebhook({ http, projectId }: Person, fields: object = {}): Promise<CreatedWebhook> {
  const path = `/api/v3/projects/${projectId}/webhooks`;
  const { status, body } = await http.post<CreatedWebhook>(path, { name: 'A webhook', ...fields });
  if (status !== 201) throw new Error(`POST ${path} answered ${status} ${JSON.stringify(body)}`);
  return body;
}

export async function createTableWebhook(person: Person, fields: object = {}): Promise<TableWebhook> {
  const webhook = await createWebhook(person, { createNewTable: true, ...fields });
  if (webhook.table_id === null) throw new Error(`The webhook has no table: ${JSON.stringify(webhook)}`);
  return { ...webhook, table_id: webhook.table_id };
}

export function incomingPath({ token }: { readonly token: string }): string {
  return `/api/webhooks/incoming/${token}`;
}

/** Delivers as an outside system does. @param payload the body, byte for byte */
export function deliver(
  http: HttpClient,
  webhook: { readonly token: string },
  payload: string | Uint8Array<ArrayBuffer>,
  headers: HeaderFields = { 'content-type': 'application/json' },
): Promise<Answer<{ message: string }>> {
  return http.send(incomingPath(webhook), { method: 'POST', headers, body: payload });
}

/** The same for a delivery that has to be accepted. */
export async function acknowledge(
  http: HttpClient,
  webhook: { readonly token: string },
  payload: string,
): Promise<void> {
  const { status, body } = await deliver(http, webhook, payload);
  if (status !== 200) throw new Error(`The delivery was answered ${status} ${JSON.stringify(body)}`);
}

/** The logs of a webhook, the newest first. */
export async function logsOf({ http }: Person, { id }: { readonly id: number }): Promise<readonly DeliveryReply[]> {
  const logs: DeliveryReply[] = [];
  for (;;) {
    const body = await readWhenProcessed<DeliveryList>(
      http,
      `/api/v3/webhooks/${id}/logs?limit=1000&offset=${logs.length}`,
    );
    logs.push(...body.logs);
    if (body.logs.length === 0 || logs.length >= body.pagination.total) return logs;
  }
}

/** Asks again while deliveries are still being processed, as the answer says; each answer waits for some seconds. */
export async function readWhenProcessed<Body>(http: HttpClient, path: string): Promise<Body> {
  for (;;) {
    const { status, body } = await http.get(path);
    if (status === 200) return body;
    if (body.code !== 'READ_MODEL_BEHIND')
      throw new Error(`${path} was answered with ${status} ${JSON.stringify(body)}`);
  }
}

export async function webhooksOf({ http, projectId }: Person): Promise<readonly ListedWebhookReply[]> {
  return (await http.get<ListedWebhookReply[]>(`/api/v3/projects/${projectId}/webhooks`)).body;
}

/** One webhook as the list shows it. */
export async function webhookOf(person: Person, id: number): Promise<ListedWebhookReply> {
  const found = (await webhooksOf(person)).find((webhook) => webhook.id === id);
  if (!found) throw new Error(`The webhook ${id} is not listed`);
  return found;
}

export async function tableOf({ http }: Person, tableId: number): Promise<TableReply> {
  return (await http.get<TableReply>(`/api/v3/tables/${tableId}`)).body;
}

/** All rows of a table, the newest first. */
export async function rowsOf({ http }: Person, tableId: number): Promise<RowList['rows']> {
  const rows: RowList['rows'] = [];
  for (;;) {
    const path = `/api/v3/tables/${tableId}/rows?limit=1000&offset=${rows.length}`;
    const body = await readWhenProcessed<RowList>(http, path);
    rows.push(...body.rows);
    if (body.rows.length === 0 || rows.length >= body.total) return rows;
  }
}

/** The columns that deliveries have added, as `name: type`, in their order. */
export async function addedColumns(person: Person, tableId: number): Promise<readonly string[]> {
  const { columns } = await tableOf(person, tableId);
  return columns.slice(defaultColumns.length).map(({ column_name, type }) => `${column_name}: ${type}`);
}

export const defaultColumns = ['received_at', 'source_ip', 'raw_payload'];

/** An answer as text: parsed, its numbers would not be what was sent. */
export async function textOf({ http, userId }: Person, path: string): Promise<string> {
  const response = await fetch(`${http.url}${path}`, { headers: { authorization: `Bearer ${tokenOf(userId)}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status} ${text}`);
  return text;
}
