import { expect, test } from 'vitest';
import { readFile } from './testing/read-files.ts';
import { mem0Memory } from './testing/samples.ts';
import { zipOf } from './testing/zip-of.ts';

const memories = Array.from({ length: 2_000 }, (_, index) => ({ ...mem0Memory, id: `m-${index}` }));

const sum = (numbers: readonly number[]) => numbers.reduce((left, right) => left + right, 0);

test('what stands before a place where a list is damaged is read', async () => {
  const whole = JSON.stringify(memories);
  const read = await readFile('m.json', whole.slice(0, whole.length / 2));
  expect(read.documents.length).toBeGreaterThan(990);
  expect(read.faults).toEqual([
    { place: 'm.json', reason: expect.stringMatching(/ends in the middle .* after record \d+/) },
  ]);
  expect(sum(read.bytes) / whole.length).toBeCloseTo(0.5, 2);
});

test('what stands after a list is named, and the list is read', async () => {
  const [first, second] = memories.map((memory) => JSON.stringify(memory));
  const read = await readFile('m.json', `[${first}]\n[${second}]\n`);
  expect(read.documents.map(({ id }) => id)).toEqual(['mem0/m-0']);
  expect(read.faults).toEqual([{ place: 'm.json', reason: 'there is more after the end of its list, after record 1' }]);
});

test('a broken record leaves the others as they are', async () => {
  const [first = {}, ...others] = memories.slice(0, 3);
  const broken = JSON.stringify(first).replace('"user_id":', '"user_id"=');
  const read = await readFile('m.json', `[${broken},${others.map((other) => JSON.stringify(other)).join()}]`);
  expect(read.documents.map(({ id }) => id)).toEqual(['mem0/m-1', 'mem0/m-2']);
  expect(read.faults).toEqual([{ place: 'm.json, record 1', reason: 'it is not JSON' }]);
});

test('texts with brackets, quotes and characters of several bytes do not end a record', async () => {
  const texts = ['a "[{" b \\', ']},{"', 'ü€😀 \\"'];
  const read = await readFile('m.json', JSON.stringify(texts.map((memory, index) => ({ id: `${index}`, memory }))));
  expect(read.documents.map(({ items }) => items[0]?.content)).toEqual(texts);
});

test.each([
  ['nothing.json', '', 'it is neither a JSON object nor a list of objects'],
  ['words.json', 'hello', 'it is neither a JSON object nor a list of objects'],
  ['text.json', '"hello"', 'it is neither a JSON object nor a list of objects'],
  ['number.json', '42', 'it is neither a JSON object nor a list of objects'],
  ['half.json', '{"results": [', 'it is not JSON'],
  ['other.json', '[{"a": 1}]', /looks like no format/],
  ['broken.zip', Buffer.from('PK\x03\x04nothing'), 'the zip is damaged'],
  ['other.zip', zipOf({ 'photos/cat.txt': 'x' }), /has no conversations.json/],
])('%s is named with what is wrong', async (name, content, reason) => {
  const read = await readFile(name, content);
  expect(read.documents).toEqual([]);
  const expected = typeof reason === 'string' ? reason : expect.stringMatching(reason);
  expect(read.faults).toEqual([{ place: expect.stringContaining(name), reason: expected }]);
});

test.each([
  ['[2024-01-03 10:42] Anna: Hello.\n[2024-01-03 10:43] Ben: Hi.'],
  ['[[Home]] is where the notes begin.'],
  ['[ ] Buy milk.'],
  ['{braces} may be a text.'],
])('a text that begins with a bracket is a text if its name is not that of JSON: %j', async (content) => {
  for (const name of ['chat.log', 'chat']) {
    const read = await readFile(name, content);
    expect(read).toMatchObject({ faults: [], formats: ['text'], documents: [{ id: name, items: [{ content }] }] });
  }
  const asJson = await readFile('chat.json', content);
  expect([asJson.documents, asJson.faults.length > 0]).toEqual([[], true]);
});

test('records are recognised whatever the name of the file is', async () => {
  const record = JSON.stringify(mem0Memory);
  for (const content of [`[ ${record}]`, record, `${record}\n${record}`, `{"results": [${record}]}`]) {
    expect(await readFile('export.log', content)).toMatchObject({ faults: [], formats: ['mem0'] });
  }
  expect(await readFile('export.log', ' [ ]\n')).toMatchObject({ documents: [], faults: [], formats: [] });
});

test('a format that is given is not detected', async () => {
  const read = await readFile('x.json', '[{"a": 1}]', 'mem0');
  expect(read.faults[0]?.reason).toContain('no memory of mem0');
  expect((await readFile('x.json', '[{"a": 1}]', 'text')).documents[0]?.items).toMatchObject([
    { content: '[{"a": 1}]' },
  ]);
});

test('JSON Lines are recognised in a .json file whose first record is long', async () => {
  const long = { ...mem0Memory, id: 'long', memory: 'A sentence of it. '.repeat(20_000) };
  const lines = [long, mem0Memory].map((memory) => JSON.stringify(memory));
  const read = await readFile('m.json', `\n${lines.join('\n')}\n`);
  expect(read).toMatchObject({ faults: [], formats: ['mem0'], bytes: lines.map(({ length }) => length) });
  expect(read.documents.map(({ id }) => id)).toEqual(['mem0/long', `mem0/${mem0Memory.id}`]);
  const whole = `${JSON.stringify({ results: [long, mem0Memory] })}\n`;
  const reply = await readFile('m.json', whole);
  expect(reply.bytes).toEqual([whole.length / 2, whole.length / 2]);
  expect(reply.documents.map(({ id }) => id)).toEqual(['mem0/long', `mem0/${mem0Memory.id}`]);
});

test('conversations are read from the zip of an export, also when they are split', async () => {
  const conversation = (uuid: string) => ({ uuid, chat_messages: [{ sender: 'human', text: 'Hello.' }] });
  const zip = zipOf({
    'users.json': '[{"uuid": "someone"}]',
    'export/conversations-000.json': JSON.stringify([conversation('a')]),
    'export/conversations-001.json': JSON.stringify([conversation('b')]),
  });
  const read = await readFile('export.zip', zip);
  expect(read).toMatchObject({ faults: [], formats: ['claude', 'claude'] });
  expect(read.documents.map(({ id, place }) => [id, place])).toEqual([
    ['claude/a', 'export.zip/export/conversations-000.json, record 1'],
    ['claude/b', 'export.zip/export/conversations-001.json, record 1'],
  ]);
});

test('each document counts as its share of the file, also when its items stand anywhere in it', async () => {
  const lines = ['a', 'b', 'a', 'a'].map((id) => JSON.stringify({ document_id: id, content: 'Ana has a boat.' }));
  const read = await readFile('items.jsonl', lines.join('\n'));
  expect(read.documents.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(read.bytes).toEqual([0.75, 0.25].map((share) => share * lines.join('').length));
});

test('what is in a zip counts as its share of the zip', async () => {
  const zip = zipOf({
    'conversations.json': JSON.stringify(memories.map((memory) => ({ ...memory, n: Math.random() }))),
  });
  const read = await readFile('export.zip', zip, 'mem0');
  expect(read.bytes).toHaveLength(memories.length);
  expect(sum(read.bytes) / zip.length).toBeCloseTo(1, 1);
});

test('a zip whose content is damaged is named', async () => {
  const zip = zipOf({ 'conversations.json': JSON.stringify(memories) });
  zip.fill(0x55, 200, 400);
  const { faults } = await readFile('export.zip', zip);
  expect(faults).toEqual([
    { place: 'export.zip/conversations.json', reason: expect.stringContaining('cannot be read') },
  ]);
});
