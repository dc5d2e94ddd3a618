import { setTimeout as pause } from 'node:timers/promises';
import type { HttpClient } from '../system/http-client.ts';
import { storeInBackground } from '../system/store-in-background.ts';
import { textOfSentences } from '../timing/sentences.ts';

/** Requests that once held up a process for seconds, or could. */
export interface CostlyRequests {
  readonly name: string;
  /** Sends them, and waits until all that follows from them is done. */
  send(client: HttpClient, webhook: string): Promise<unknown>;
}

const agent_id = 'bench-costly';
const largeBytes = 4.8 * 2 ** 20;
/** How long the work goes on that no request waits for, in milliseconds. */
const restMs = 10_000;

/** The answer is of no interest: some of these are refused. */
const ignoring = (request: Promise<unknown>) => request.catch(() => undefined);
const search = (client: HttpClient, query: string, more: object = {}) =>
  ignoring(client.post('/api/search', { agent_id, query, ...more }));
const addBackground = (client: HttpClient, content: string) =>
  ignoring(client.post(`/api/agents/${agent_id}/background`, { content, update_personality: true }));

export const costlyRequests: readonly CostlyRequests[] = [
  {
    name: 'floor: a search and a batch of one',
    send: async (client) => {
      await client.post('/api/memories/batch', { agent_id, items: [{ content: 'Ana lives in Lisbon.' }] });
      await search(client, 'Where does Ana live?');
    },
  },
  {
    name: 'a query string of 30 KB, 20 times',
    send: (client) => Promise.all(times(20, () => ignoring(client.get(`/api/list?agent_id=x&${'a&'.repeat(15_000)}`)))),
  },
  {
    name: 'a list of 2.5 million faulty items',
    send: (client) => search(client, 'x', { fact_type: Array.from({ length: 2_500_000 }, () => 1) }),
  },
  {
    name: 'a question of 2 KB of dates',
    send: (client) =>
      search(client, `${'a '.repeat(1_000)}June 7 May 2023 in April of 2022 ${'on May 1 '.repeat(100)}`),
  },
  {
    name: 'a memory of 100 KB of new names',
    send: (client) => {
      const content = Array.from({ length: 9_000 }, (_, index) => `Xa${index.toString(36)} Yo${index}`).join(', ');
      return store(client, [content.slice(0, 100_000)]);
    },
  },
  {
    name: 'a background of one long word; one of 4,000 short lines',
    send: async (client) => {
      await addBackground(client, `my favorite ${'a'.repeat(960)}`);
      await addBackground(client, 'I like tea.\n'.repeat(4_000));
    },
  },
  {
    name: '16 deliveries of 1 MiB with 90,000 members',
    send: async (client, webhook) => {
      const payload = Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`k${index}`, index % 10]));
      await Promise.all(times(16, () => client.post(webhook, payload)));
      await pause(restMs);
    },
  },
  {
    // One batch of them would have more facts than a batch may have.
    name: '4.8 MiB of sentences in four batches',
    send: (client) => Promise.all(times(4, (index) => store(client, [textOfSentences(largeBytes / 4, index)]))),
  },
  {
    name: '4.8 MiB of one word without spaces',
    send: (client) =>
      store(
        client,
        times(8, () => 'aB3'.repeat(largeBytes / 24)),
      ),
  },
  {
    name: '4.8 MiB of names, dates and quotations',
    send: (client) =>
      store(
        client,
        times(8, (index) => namesAndDates(index).slice(0, largeBytes / 8)),
      ),
  },
];

function store(client: HttpClient, contents: readonly string[]): Promise<void> {
  return storeInBackground(client, { agent_id, items: contents.map((content) => ({ content })) });
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function namesAndDates(seed: number): string {
  const part = (index: number) =>
    `"Ka${seed}${index} O'Neil-${index}" said 'on June ${(index % 28) + 1} 20${index % 90}, ((no)) a.b.c' e.g. to Dr. Wu${index}`;
  return Array.from({ length: 9_000 }, (_, index) => part(index)).join(' ; ');
}
