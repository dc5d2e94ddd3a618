import type { DeadLettersReply, UnitList } from '@mneme/contracts';
import { expect } from 'vitest';
import { nonePending } from '../failures/many-batches.ts';
import { logsOf, rowsOf, type TableWebhook } from '../system/deliveries.ts';
import type { HttpClient } from '../system/http-client.ts';
import type { Person } from '../system/person.ts';
import { vectorIdsOf } from '../system/stores/qdrant.ts';
import { tokenOf } from '../system/tokens.ts';
import type { Accepted } from './load.ts';

/** Where to look for what was accepted. */
export interface Stored {
  readonly qdrantUrl: string;
  readonly person: Person;
  readonly key: string;
  readonly agentId: string;
  readonly webhook: TableWebhook;
}

const soon = { timeout: 60_000, interval: 500 };
const operatorId = 1;

/** Checks that nothing that was accepted is missing or there twice, and that no event was given up. */
export async function expectAllOnce(gateway: HttpClient, stored: Stored, accepted: Accepted): Promise<void> {
  await expectUnitsOnce(gateway, stored, accepted.contents);
  await expectDeliveriesOnce(gateway, stored, accepted.deliveries);
  const { status, body } = await gateway.as(tokenOf(operatorId)).get<DeadLettersReply>('/api/v3/system/dead-letters');
  expect([status, body.dead_letters]).toEqual([200, []]);
  expect((await gateway.get('/readyz')).status).toBe(200);
}

/** Each content is one unit with one vector. */
async function expectUnitsOnce(gateway: HttpClient, stored: Stored, contents: readonly string[]): Promise<void> {
  const { key, agentId, person, qdrantUrl } = stored;
  const http = gateway.as(key);
  await nonePending(http, agentId);
  const units = await unitsOf(http, agentId);
  expect(units.map(({ text }) => text).sort()).toEqual([...contents].sort());
  const ids = units.map(({ id }) => id).sort();
  await expect.poll(() => vectorIdsOf(qdrantUrl, agentId, String(person.spaceId)), soon).toEqual(ids);
  const query = contents.at(-1);
  const { body } = await http.post('/api/search', { agent_id: agentId, query });
  expect(body.results.map(({ text }: { readonly text: string }) => text)).toContain(query);
}

/** A delivery whose acknowledgement was lost may be there, once as well. */
async function expectDeliveriesOnce(
  gateway: HttpClient,
  { person, webhook }: Stored,
  acknowledged: ReadonlySet<number>,
): Promise<void> {
  const viewer = { ...person, http: gateway.as(tokenOf(person.userId)) };
  const logs = async () =>
    (await logsOf(viewer, webhook)).map(({ payload }) => Number(JSON.parse(payload).n)).sort(byNumber);
  const rows = async () =>
    (await rowsOf(viewer, webhook.table_id)).map(({ values }) => Number(values.n)).sort(byNumber);
  const logged = await logs();
  expect(logged).toEqual([...new Set(logged)]);
  expect([...acknowledged.difference(new Set(logged))]).toEqual([]);
  await expect.poll(rows, soon).toEqual(logged);
}

async function unitsOf(http: HttpClient, agentId: string): Promise<UnitList['items']> {
  const units: UnitList['items'] = [];
  for (;;) {
    const { status, body } = await http.get<UnitList>(`/api/list?agent_id=${agentId}&limit=100&offset=${units.length}`);
    if (status !== 200) throw new Error(`The units were answered with ${status} ${JSON.stringify(body)}`);
    units.push(...body.items);
    if (body.items.length === 0 || units.length >= body.total) return units;
  }
}

function byNumber(left: number, right: number): number {
  return left - right;
}
