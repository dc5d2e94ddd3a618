import { createHmac } from 'node:crypto';
import type { HttpClient } from '../system/http-client.ts';

/** What tokens of the measured system are signed with. */
export const jwtSecret = 'only for measuring, and 32 bytes long';

const hourSeconds = 3_600;

/** A token of user 1, good for an hour. */
export function firstUserToken(): string {
  const claims = { sub: '1', exp: Math.floor(Date.now() / 1_000) + hourSeconds };
  const signed = [{ alg: 'HS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...signed, createHmac('sha256', jwtSecret).update(signed.join('.')).digest('base64url')].join('.');
}

interface Me {
  readonly spaces: readonly { readonly projects: readonly { readonly id: number }[] }[];
}

/** An issued key of user 1 whose limit nothing here reaches. */
export async function issueKey(client: HttpClient, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const me = (await client.get('/api/v3/me', headers)) as Me;
  const wanted = { project_id: me.spaces[0]?.projects[0]?.id, name: 'Benchmark', rate_limit: 1_000_000 };
  return ((await client.post('/api/v3/api-keys', wanted, headers)) as { key: string }).key;
}
