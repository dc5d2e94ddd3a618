import { scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

const people = ['Alice', 'Bob', 'Carol', 'Dan', 'Eve', 'Frank'];
const verbs = ['likes', 'sold', 'painted', 'found', 'lost', 'fixed'];
const things = ['boat', 'cello', 'garden', 'oven', 'violin', 'novel', 'bridge', 'clock'];

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  return system.release;
});

/** In full a document of 1.2 MB, which once stopped the read model for everyone. */
const bytes = scaled({ full: 1_200_000, short: 15_000 });

/** A text of so many bytes, every sentence of its own. */
function textOf(bytes: number, version: number): string {
  let text = '';
  for (let index = 0; text.length < bytes; index += 1) {
    text += `${people[index % 6]} ${verbs[(index * 7) % 6]} the ${things[(index * 5) % 8]} number ${version} ${index} in the shop. `;
  }
  return text;
}

const store = (agent_id: string, content: string, document_id?: string) =>
  http.post('/api/memories/batch', { agent_id, document_id: document_id ?? null, items: [{ content }] });

test('a large document that is replaced stops no one, and is there as its last version', async () => {
  const replacing = (async () => {
    for (const version of [1, 2, 3]) {
      const answer = await store('large', textOf(bytes, version), 'book');
      expect(answer.status).toBe(200);
    }
  })();
  let isOver = false;
  replacing.finally(() => {
    isOver = true;
  });
  let stored = 0;
  while (!isOver) {
    expect((await store('small', `Crate C${stored} holds lemons.`)).status).toBe(200);
    stored += 1;
    const found = await http.post('/api/search', { agent_id: 'small', query: `Crate C${stored - 1}` });
    expect(found.body.results.length).toBeGreaterThan(0);
  }
  await replacing;
  expect(stored).toBeGreaterThan(5);
  const document = await http.get('/api/documents/book?agent_id=large');
  expect(document.body.original_text).toBe(textOf(bytes, 3));
  const stats = await http.get('/api/stats/large');
  expect(stats.body.total_nodes).toBe(document.body.memory_unit_count);
  const old = await http.get('/api/list?agent_id=large&q=number%201%2077');
  expect(old.body.items.every(({ text }: { text: string }) => !text.includes('number 1 77 '))).toBe(true);
});
