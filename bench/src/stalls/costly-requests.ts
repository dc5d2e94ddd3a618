import { setTimeout as pause } from 'node:timers/promises';
import type { HttpClient } from '../system/http-client.ts';
import { sentences } from '../timing/sentences.ts';

/** Requests that once held up a process for seconds, or could. */
export interface CostlyRequests {
  readonly name: string;
  /** Sends them, and waits until all that follows from them is done. */
  send(client: HttpClient, webhook: string): Promise<unknown>;
}

const agent_id = 'bench-costly';
const mebibyte = 2 ** 20;

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
    send: (client) => all(20, () => ignoring(client.get(`/api/list?agent_id=x&${'a&'.repeat(15_000)}`))),
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
      return storeLater(client, [content.slice(0, 100_000)]);
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
      await all(16, () => ignoring(client.post(webhook, payload)));
      await pause(restMs);
    },
  },
  {
    // One batch of them would have more facts than a batch may have.
    name: '4.8 MiB of sentences in four batches',
    send: (client) => Promise.all(partsOf(4.8 * mebibyte, 4).map((content) => storeLater(client, [content]))),
  },
  {
    name: '4.8 MiB of one word without spaces',
    send: (client) =>
      storeLater(
        client,
        all8(() => 'aB3'.repeat((4.8 * mebibyte) / 24)),
      ),
  },
  {
    name: '4.8 MiB of names, dates and quotations',
    send: (client) =>
      storeLater(
        client,
        all8((index) => namesAndDates(index).slice(0, (4.8 * mebibyte) / 8)),
      ),
  },
];

/** How long the work goes on that no request waits for, in milliseconds. */
const restMs = 10_000;
const lookEveryMs = 500;

async function storeLater(client: HttpClient, contents: readonly string[]): Promise<void> {
  const items = contents.map((content) => ({ content }));
  const { operation_id } = (await client.post('/api/memories/batch_async', { agent_id, items })) as {
    operation_id: string;
  };
  for (let status = 'pending'; status === 'pending' || status === 'processing'; ) {
    await pause(lookEveryMs);
    const path = `/api/operations/${operation_id}/status`;
    const operation = (await client.get(path).catch(() => undefined)) as { status: string } | undefined;
    status = operation?.status ?? status;
  }
}

function all(count: number, send: () => Promise<unknown>): Promise<unknown[]> {
  return Promise.all(Array.from({ length: count }, send));
}

function all8(text: (index: number) => string): string[] {
  return Array.from({ length: 8 }, (_, index) => text(index));
}

/** Texts of sentences that differ. */
function partsOf(bytes: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const texts = sentences(index);
    let text = '';
    while (text.length < bytes / count) text += `${texts.next().value} `;
    return text.slice(0, bytes / count);
  });
}

function namesAndDates(seed: number): string {
  const part = (index: number) =>
    `"Ka${seed}${index} O'Neil-${index}" said 'on June ${(index % 28) + 1} 20${index % 90}, ((no)) a.b.c' e.g. to Dr. Wu${index}`;
  return Array.from({ length: 9_000 }, (_, index) => part(index)).join(' ; ');
}
