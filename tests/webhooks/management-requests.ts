import type { TableWebhook } from '../system/deliveries.ts';
import type { HttpClient } from '../system/http-client.ts';

/** A request that somebody sends who should not be let in. */
export interface ManagementRequest {
  readonly name: string;
  readonly send: (
    http: HttpClient,
  ) => Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }>;
  /** What is said not to be there. */
  readonly subject: 'Project' | 'Webhook' | 'Table';
}

/** Every request that manages webhooks or tables, aimed at one webhook, its newest delivery and its table. */
export function managementRequests(
  { id, project_id, table_id }: TableWebhook,
  logId: number,
): readonly ManagementRequest[] {
  const requests: ManagementRequest[] = [];
  const add = (subject: ManagementRequest['subject'], method: string, path: string, body?: unknown) => {
    const send: ManagementRequest['send'] = (http) => {
      if (method === 'GET') return http.get(path);
      if (method === 'DELETE') return http.delete(path);
      return method === 'PATCH' ? http.patch(path, body) : http.post(path, body);
    };
    requests.push({ name: `${method} ${path}`, send, subject });
  };
  const project = `/api/v3/projects/${project_id}`;
  add('Project', 'GET', `${project}/webhooks`);
  add('Project', 'POST', `${project}/webhooks`, { name: 'Mine' });
  add('Project', 'GET', `${project}/tables`);
  add('Project', 'POST', `${project}/tables`, { name: 'Mine' });
  const webhook = `/api/v3/webhooks/${id}`;
  add('Webhook', 'GET', webhook);
  add('Webhook', 'POST', `${webhook}/test`, {});
  add('Webhook', 'PATCH', webhook, { isActive: false });
  add('Webhook', 'GET', `${webhook}/logs`);
  add('Webhook', 'GET', `${webhook}/logs/stream`);
  add('Webhook', 'POST', `${webhook}/logs/${logId}/replay`, {});
  add('Webhook', 'POST', `${webhook}/replay`, { status: 'processed' });
  add('Webhook', 'GET', `${webhook}/replay`);
  const table = `/api/v3/tables/${table_id}`;
  add('Table', 'GET', table);
  add('Table', 'GET', `${table}/rows`);
  add('Table', 'GET', `${table}/rows.csv`);
  add('Table', 'GET', `${table}/rows.json`);
  add('Webhook', 'DELETE', webhook);
  return requests;
}
