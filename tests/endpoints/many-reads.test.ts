import { atFullLength, scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { compareWaits } from '../system/compare-waits.ts';
import { acknowledge, createTableWebhook, readWhenProcessed } from '../system/deliveries.ts';
import type { HttpClient } from '../system/http-client.ts';
import { newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

const searchesAtOnce = scaled({ full: 300, short: 100 });
const readsAtOnce = scaled({ full: 300, short: 150 });
/** Other tests take the processors now and then. Without turns all wait equally long, so that no attempt passes. */
const options = { retry: 2 };

let system: SharedSystem;
beforeAll(async () => {
  system = await shareSystem();
  return system.release;
});

test.runIf(atFullLength)(
  'who searches once does not wait for all that another agent, or another space, asks at the same time',
  options,
  async () => {
    const [http, elsewhere] = [await system.ownSpace(), await system.ownSpace()];
    const store = (client: HttpClient, agent_id: string, count: number) => {
      const items = Array.from({ length: count }, (_, index) => ({ content: `Crate C${index} holds lemons.` }));
      return client.post('/api/memories/batch', { agent_id, items });
    };
    await Promise.all([store(http, 'loud', 200), store(http, 'quiet', 20), store(elsewhere, 'quiet', 20)]);
    const search = (client: HttpClient, agent_id: string, query: string) =>
      client.post('/api/search', { agent_id, query });
    const waits = await compareWaits({
      atOnce: searchesAtOnce,
      loud: (asker, asked) => search(http, 'loud', `What is in crate C${asker} or C${asked}?`),
      quiet: [
        () => search(http, 'quiet', 'What is in crate C7?'),
        () => search(elsewhere, 'quiet', 'What is in crate C7?'),
        () => http.get('/api/list?agent_id=quiet'),
        () => elsewhere.get('/api/graph?agent_id=quiet'),
      ],
    });
    expect(waits.quiet).toBeLessThan(waits.loud / 2);
  },
);

test.runIf(atFullLength)('one memory is read by many at once', options, async () => {
  const http = await system.ownSpace();
  const { body } = await http.post('/api/memories/batch', {
    agent_id: 'loud',
    items: [{ content: 'Ana sells lemons.' }],
  });
  const read = () => http.get(`/api/memory/${body.items[0].units[0].id}`);
  const elsewhere = await system.ownSpace();
  const list = () => elsewhere.get('/api/list?agent_id=nobody');
  const waits = await compareWaits({ atOnce: readsAtOnce, loud: read, quiet: [list] });
  expect(waits.quiet).toBeLessThan(waits.loud / 2);
});

test.runIf(atFullLength)(
  'who reads a table does not wait for all that another user reads at the same time',
  options,
  async () => {
    const [loud, quiet] = [await tableOf(await newPerson(system.http)), await tableOf(await newPerson(system.http))];
    const waits = await compareWaits({
      atOnce: readsAtOnce,
      loud: () => loud.http.get(loud.rows),
      quiet: [() => quiet.http.get(quiet.rows)],
    });
    expect(waits.quiet).toBeLessThan(waits.loud / 2);
  },
);

/** A table with rows of a hundred columns. */
async function tableOf(person: Person): Promise<{ readonly http: HttpClient; readonly rows: string }> {
  const webhook = await createTableWebhook(person);
  const columns = Array.from({ length: 100 }, (_, index) => [`column_${index}`, `value ${index}`]);
  for (let row = 0; row < 20; row += 1)
    await acknowledge(system.http, webhook, JSON.stringify(Object.fromEntries(columns)));
  const rows = `/api/v3/tables/${webhook.table_id}/rows?limit=20`;
  await readWhenProcessed(person.http, rows);
  return { http: person.http, rows };
}
