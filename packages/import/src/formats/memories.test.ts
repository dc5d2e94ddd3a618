import { expect, test } from 'vitest';
import { readFile } from '../testing/read-files.ts';
import { hindsightDocument, hindsightUnit, mem0Memory } from '../testing/samples.ts';

test.each([
  ['a list', JSON.stringify([mem0Memory])],
  ['the reply of get_all', JSON.stringify({ results: [mem0Memory], count: 1, next: null })],
  ['lines', `${JSON.stringify(mem0Memory)}\n${JSON.stringify({ ...mem0Memory, id: 'm-2' })}\n`],
])('memories of mem0 are read from %s, each as a document with its owner', async (_, content) => {
  const read = await readFile('export.json', content);
  expect(read).toMatchObject({ faults: [], formats: ['mem0'] });
  expect(read.documents[0]).toMatchObject({
    id: 'mem0/m-1',
    items: [
      {
        content: 'Carla is allergic to walnuts',
        eventDate: '2024-06-01T08:00:00.000-07:00',
        metadata: { user_id: 'carla', categories: ['health'], source: 'chat', nested: '{"a":1}' },
      },
    ],
  });
});

test('a memory of mem0 without a text, or with too much metadata, is named', async () => {
  const large = { ...mem0Memory, id: 'm-3', metadata: { note: 'x'.repeat(3_000) } };
  const read = await readFile('m.json', JSON.stringify([mem0Memory, { ...mem0Memory, memory: null }, large]));
  expect(read.documents).toHaveLength(1);
  expect(read.faults).toEqual([
    { place: 'm.json, record 2', reason: 'it is no memory of mem0 with an id and a text' },
    { place: 'm.json, record 3', reason: expect.stringContaining('at most 2048 bytes') },
  ]);
});

test('units of Hindsight are documents with their time, context, document and tags', async () => {
  const experience = { ...hindsightUnit, id: 'h-2', fact_type: 'experience', occurred_start: null };
  const derived = { ...hindsightUnit, id: 'h-3', fact_type: 'observation' };
  const wrong = { ...hindsightUnit, id: 'h-4', state: 'invalidated' };
  const items = [hindsightUnit, experience, derived, wrong];
  const read = await readFile('list.json', JSON.stringify({ items, total: 4, limit: 100, offset: 0 }));
  expect(read).toMatchObject({ faults: [], formats: ['hindsight'], leftOut: 2 });
  expect(read.documents.map(({ id, items: [item] }) => ({ id, ...item }))).toEqual([
    {
      id: 'hindsight/unit/h-1',
      content: 'Dora plays the cello in an orchestra',
      context: 'music',
      eventDate: '2024-07-01T00:00:00.000Z',
      metadata: { document_id: 'talk-7', tags: ['music'] },
    },
    expect.objectContaining({ id: 'hindsight/unit/h-2', eventDate: '2024-07-02T00:00:00.000Z', role: 'assistant' }),
  ]);
});

test('a document of Hindsight is read from its reply, and a list of documents says where the text is', async () => {
  const read = await readFile('document.json', JSON.stringify(hindsightDocument, null, 2));
  expect(read.documents).toMatchObject([
    {
      id: 'hindsight/document/talk-8',
      items: [{ content: 'Dora sold her cello.', eventDate: '2024-08-01T00:00:00.000Z' }],
    },
  ]);
  const { original_text: _, ...listed } = hindsightDocument;
  const list = await readFile('documents.json', JSON.stringify({ items: [listed], total: 1 }));
  expect(list.faults).toEqual([
    { place: 'documents.json, record 1', reason: expect.stringContaining('/documents/{id}') },
  ]);
});
