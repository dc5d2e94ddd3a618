import type { HttpClient } from '../system/http-client.ts';
import type { TableWebhook } from './webhook-calls.ts';

/** What somebody who should not be let in might call. */
export interface ManagementCall {
  readonly name: string;
  readonly send: (
    http: HttpClient,
  ) => Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }>;
  /** What is said not to be there. */
  readonly subject: 'Project' | 'Webhook' | 'Table';
}

/** Every call that manages webhooks or tables, aimed at one webhook, its newest call and its table. */
export function managementCalls({ id, project_id, table_id }: TableWebhook, logId: number): readonly ManagementCall[] {
  const calls: ManagementCall[] = [];
  const add = (subject: ManagementCall['subject'], method: string, path: string, body?: unknown) => {
    const send: ManagementCall['send'] = (http) => {
      if (method === 'GET') return http.get(path);
      if (method === 'DELETE') return http.delete(path);
      return method === 'PATCH' ? http.patch(path, body) : http.post(path, body);
    };
    calls.push({ name: `${method} ${path}`, send, subject });
  };
  const project = `/api/v3/projects/${project_id}`;
  add('Project', 'GET', `${project}/webhooks`);
  add('Project', 'POST', `${project}/webhooks`, { name: 'Mine' });
  add('Project', 'GET', `${project}/tables`);
  add('Project', 'POST', `${project}/tables`, { name: 'Mine' });
  const webhook = `/api/v3/webhooks/${id}`;
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
  return calls;
}
