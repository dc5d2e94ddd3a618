import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

/** So many searches of one agent wait at any time. */
const atOnce = 300;
const reads = ['search', 'list', 'graph'] as const;

let system: SharedSystem;
let http: HttpClient;
let elsewhere: HttpClient;
beforeAll(async () => {
  system = await shareSystem();
  http = await system.ownSpace();
  elsewhere = await system.ownSpace();
  const store = (client: HttpClient, agent_id: string, count: number) => {
    const items = Array.from({ length: count }, (_, index) => ({ content: `Crate C${index} holds lemons.` }));
    return client.post('/api/memories/batch', { agent_id, items });
  };
  await Promise.all([store(http, 'loud', 200), store(http, 'quiet', 20), store(elsewhere, 'quiet', 20)]);
  return system.release;
});

const search = async (client: HttpClient, agent_id: string, query: string): Promise<number> =>
  (await client.post('/api/search', { agent_id, query })).status;

const ask: Readonly<Record<(typeof reads)[number], (client: HttpClient) => Promise<number>>> = {
  search: (client) => search(client, 'quiet', 'What is in crate C7?'),
  list: async (client) => (await client.get('/api/list?agent_id=quiet')).status,
  graph: async (client) => (await client.get('/api/graph?agent_id=quiet')).status,
};

test('who asks once does not wait for all that another agent, or another space, asks at the same time', async () => {
  const waits: Record<'loud' | 'quiet', number[]> = { loud: [], quiet: [] };
  const timed = async (who: keyof typeof waits, asking: () => Promise<number>) => {
    const startedAt = performance.now();
    expect(await asking()).toBe(200);
    waits[who].push(performance.now() - startedAt);
  };
  let isOver = false;
  const askOnAndOn = async (_: unknown, asker: number) => {
    for (let asked = 0; !isOver; asked += 1)
      await timed('loud', () => search(http, 'loud', `What is in crate C${asker} or C${asked}?`));
  };
  const loud = Array.from({ length: atOnce }, askOnAndOn);
  await expect.poll(() => waits.loud.length).toBeGreaterThan(atOnce);
  for (let round = 0; round < 5; round += 1)
    for (const client of [http, elsewhere]) for (const kind of reads) await timed('quiet', () => ask[kind](client));
  isOver = true;
  await Promise.all(loud);
  expect(median(waits.quiet)).toBeLessThan(median(waits.loud) / 3);
});

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
