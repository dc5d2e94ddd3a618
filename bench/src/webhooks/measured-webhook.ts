import { setTimeout as pause } from 'node:timers/promises';
import { firstUserToken } from '../access/first-user.ts';
import type { HttpClient } from '../system/http-client.ts';

/** A webhook of the measured system with a table of its own. */
export interface MeasuredWebhook {
  /** Where deliveries go. */
  readonly path: string;
  deliver(body: object): Promise<unknown>;
  /** Waits until the table has that many rows; returns how many it has then. */
  rowsReach(count: number): Promise<number>;
  /** How many deliveries are in the logs. */
  loggedDeliveries(): Promise<number>;
  /** How long a look at the newest row takes, which waits for what had been received by then, in milliseconds. */
  lookMs(): Promise<number>;
}

const pollMs = 20;
const rowsTimeoutMs = 600_000;

export async function openWebhook(client: HttpClient): Promise<MeasuredWebhook> {
  const headers = { authorization: `Bearer ${firstUserToken()}` };
  const get = async <Body>(path: string) => (await client.get(path, headers)) as Body;
  const me = await get<{ spaces: { projects: { id: number }[] }[] }>('/api/v3/me');
  const project = `/api/v3/projects/${me.spaces[0]?.projects[0]?.id}/webhooks`;
  const wanted = { name: 'Benchmark', createNewTable: true };
  const { token, id, table_id } = (await client.post(project, wanted, headers)) as Created;
  const path = `/api/webhooks/incoming/${token}`;
  const table = `/api/v3/tables/${table_id}`;
  return {
    path,
    deliver: (body) => client.post(path, body),
    rowsReach: (count) => rowsReach(count, async () => (await get<{ row_count: number }>(table)).row_count),
    loggedDeliveries: async () => (await get<Logs>(`/api/v3/webhooks/${id}/logs?limit=1`)).pagination.total,
    lookMs: async () => {
      const startedAt = performance.now();
      await get(`${table}/rows?limit=1`);
      return performance.now() - startedAt;
    },
  };
}

interface Created {
  readonly token: string;
  readonly id: number;
  readonly table_id: number;
}

interface Logs {
  readonly pagination: { readonly total: number };
}

/** A look waits for what has come, and is refused when that takes longer than five seconds. */
async function rowsReach(count: number, read: () => Promise<number>): Promise<number> {
  for (const deadline = performance.now() + rowsTimeoutMs; performance.now() < deadline; await pause(pollMs)) {
    const rows = await read().catch(() => 0);
    if (rows >= count) return rows;
  }
  throw new Error(`After ${rowsTimeoutMs} ms the table did not have ${count} rows`);
}
