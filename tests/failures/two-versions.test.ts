import { scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

const rounds = scaled({ full: 100, short: 8 });
const agent_id = 'editor';
/** The first version is much more work than the second, so that it usually ends later. */
const longText = Array.from({ length: 40 }, (_, index) => `Crate C${index} holds old lemons.`).join(' ');

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem();
  http = await system.ownSpace();
  return system.release;
});

test('of two versions of a document submitted together the later one is found every time', async () => {
  const documents = Array.from({ length: rounds }, (_, index) => `document-${index}`);
  const later = await Promise.all(documents.map(submitTwice));
  await eventually('all are processed', async () => {
    return (await http.get(`/api/operations/${agent_id}`)).body.operations.length === 0;
  });
  for (const [index, id] of documents.entries()) {
    const { body } = await http.get(`/api/documents/${id}?agent_id=${agent_id}`);
    expect(body.original_text).toBe(later[index]);
    const { items, total } = (await http.get(`/api/list?agent_id=${agent_id}&document_id=${id}`)).body;
    expect(body.memory_unit_count).toBe(total);
    expect(items).not.toEqual([]);
    for (const { text } of items) expect(later[index]).toContain(text);
  }
  const { total } = (await http.get(`/api/list?agent_id=${agent_id}`)).body;
  const { body: listed } = await http.get(`/api/documents?agent_id=${agent_id}&limit=1000`);
  const counts: number[] = listed.items.map((item: { memory_unit_count: number }) => item.memory_unit_count);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
});

/** Submits two versions at once and returns the text of that which the log has last. */
async function submitTwice(document_id: string): Promise<string> {
  const contents = [`${longText} This is ${document_id}.`, `Anna likes ${document_id}.`];
  const answers = await Promise.all(
    contents.map((content) => http.post('/api/memories/batch_async', { agent_id, document_id, items: [{ content }] })),
  );
  const [first = 0, second = 0] = answers.map(({ headers }) => sequenceOf(headers));
  return contents[first > second ? 0 : 1] ?? '';
}

function sequenceOf(headers: Headers): number {
  return Number(headers.get('x-event-position')?.split(':')[1]);
}
