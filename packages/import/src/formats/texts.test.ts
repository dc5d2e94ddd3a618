import { expect, test } from 'vitest';
import { readFile } from '../testing/read-files.ts';

test('Markdown is one document whose items have the headings above them', async () => {
  const text = [
    '---',
    'title: Travel',
    'date: 2024-02-03',
    '---',
    'Before.',
    '# Lisbon #',
    'We stayed a week.',
    '### Food',
    'Custard tarts.',
    '```',
    '# no heading',
    '```',
    '# Porto',
    '## Bridges',
    'Six of them.',
  ].join('\n');
  const read = await readFile('travel.md', text);
  expect(read).toMatchObject({
    faults: [],
    formats: ['markdown'],
    documents: [{ id: 'travel.md', place: 'travel.md' }],
  });
  const eventDate = '2024-02-03T00:00:00.000Z';
  expect(read.documents[0]?.items).toEqual([
    { content: 'Before.', eventDate },
    { content: 'We stayed a week.', eventDate, context: 'Lisbon' },
    { content: 'Custard tarts.\n```\n# no heading\n```', eventDate, context: 'Lisbon > Food' },
    { content: 'Six of them.', eventDate, context: 'Porto > Bridges' },
  ]);
});

test('a text has the time of its file, and a long one becomes several items', async () => {
  const paragraph = `${'One sentence of it. '.repeat(100).trim()}\n\n`;
  const read = await readFile('long.txt', `[no JSON]\n${paragraph.repeat(5)}`);
  expect(read).toMatchObject({ faults: [], formats: ['text'] });
  const items = read.documents[0]?.items ?? [];
  expect(items.length).toBeGreaterThan(2);
  expect(items.every(({ content }) => content.length <= 4_096 && content.endsWith('it.'))).toBe(true);
  expect(Date.now() - Date.parse(String(items[0]?.eventDate))).toBeLessThan(600_000);
});

test('a date of front matter that cannot be read is named, and the text is read', async () => {
  const read = await readFile('n.md', '---\ndate: soon\n---\nHello.');
  expect(read.documents).toHaveLength(1);
  expect(read.faults).toEqual([{ place: 'n.md', reason: expect.stringContaining('"soon"') }]);
});

test.each([
  ['a text', 'First part.'],
  ['a heading', '# Lisbon'],
  ['a list', '- tea'],
  ['a sentence with a colon', 'Note to self: buy milk.'],
])('%s between two rules is no front matter', async (_, text) => {
  const read = await readFile('rules.md', `---\n\n${text}\n\n---\n\nSecond part.`);
  expect(read.faults).toEqual([]);
  const said = read.documents[0]?.items.map(({ content, context }) => `${context ?? ''} ${content}`).join();
  expect(said).toContain(text.replace('# ', ''));
  expect(said).toContain('Second part.');
});

test.each([
  ['a key without a value', 'tags:\n  - travel\ndate: 2024-02-03'],
  ['a comment', '# of the editor\ndate: 2024-02-03'],
  ['a key in quotes', '"my title": Travel\ndate: 2024-02-03'],
  ['a key of several words', 'last modified by: Ana\ndate: 2024-02-03'],
  ['a blank line', '\ndate: 2024-02-03'],
])('front matter may begin with %s', async (_, yaml) => {
  const read = await readFile('travel.md', `---\n${yaml}\n---\nWe stayed a week.`);
  expect(read.documents[0]?.items).toEqual([{ content: 'We stayed a week.', eventDate: '2024-02-03T00:00:00.000Z' }]);
});

test('code that ends on its line hides no heading, and a fence with a word behind it ends no code', async () => {
  const read = await readFile(
    'code.md',
    '# Setup\n```npm start``` starts it.\n# Food\nCustard tarts.\n## Wine\n```\n```sh\n# code\n``` \n# Rest\nPort.',
  );
  expect(read.documents[0]?.items.map(({ content, context }) => [content, context])).toEqual([
    ['```npm start``` starts it.', 'Setup'],
    ['Custard tarts.', 'Food'],
    ['```\n```sh\n# code\n```', 'Food > Wine'],
    ['Port.', 'Rest'],
  ]);
});

test('a heading that has nothing below it is an item itself', async () => {
  const read = await readFile(
    'todo.md',
    '# Todo\n## Buy milk\n\n## Call Ana ##\n### \n# Done\n## Paint\nBlue.\n# Rest',
  );
  expect(read.faults).toEqual([]);
  expect(read.documents[0]?.items.map(({ content, context }) => [content, context])).toEqual([
    ['Buy milk', 'Todo'],
    ['Call Ana', 'Todo'],
    ['Blue.', 'Done > Paint'],
    ['Rest', undefined],
  ]);
});

test.each([
  ['empty.txt', ' \n'],
  ['picture.txt', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ['zeros.md', 'a\0b'],
])('%s is named', async (name, content) => {
  expect(await readFile(name, content)).toMatchObject({ documents: [], faults: [{ place: name }] });
});

test('items of JSON lines make up the documents that they name, and those of the file', async () => {
  const lines = [
    {
      content: 'One.',
      document_id: 'a',
      role: 'user',
      event_date: '2024-01-01',
      metadata: { room: 'hall' },
      context: 'x',
    },
    { text: 'Two.', date: '2024-01-02T10:00:00+01:00' },
    { content: 'Three.', document_id: 'a' },
  ];
  const read = await readFile('items.jsonl', lines.map((line) => JSON.stringify(line)).join('\r\n'));
  expect(read).toMatchObject({ faults: [], formats: ['jsonl'] });
  expect(read.documents.map(({ id, items }) => [id, items])).toEqual([
    [
      'a',
      [
        {
          content: 'One.',
          role: 'user',
          eventDate: '2024-01-01T00:00:00.000Z',
          metadata: { room: 'hall' },
          context: 'x',
        },
        { content: 'Three.' },
      ],
    ],
    ['items.jsonl', [{ content: 'Two.', eventDate: '2024-01-02T10:00:00.000+01:00' }]],
  ]);
});

test('lines that cannot be read are named, and the others are read', async () => {
  const lines = [
    '{"content": "Good."}',
    'not JSON',
    '{"content": " "}',
    '{"content": "x", "event_date": "31.12.2024"}',
    '{"content": "x", "role": "robot"}',
    '{"content": "x", "id": 7}',
    '{"content": "x", "metadata": {"a": {}}}',
    '[1]',
    '{"content": "x", "document_id": 5}',
    '{"content": "Also good."}',
    '{"content": "x", "document_id": ".."}',
    JSON.stringify({ content: 'x', document_id: 'x'.repeat(1_025) }),
  ];
  const read = await readFile('items.jsonl', lines.join('\n'));
  expect(read.documents[0]?.items.map(({ content }) => content)).toEqual(['Good.', 'Also good.']);
  const place = (line: number) => `items.jsonl, line ${line}`;
  expect(read.faults).toEqual([
    { place: place(2), reason: 'it is not JSON' },
    { place: place(3), reason: 'it has no content' },
    { place: place(4), reason: expect.stringContaining('the date "31.12.2024" cannot be read') },
    { place: place(5), reason: 'the role "robot" is none of user, assistant, system, tool' },
    { place: place(6), reason: expect.stringContaining("the field 'id' is none of") },
    { place: place(7), reason: expect.stringContaining('the metadata cannot be stored: a:') },
    { place: place(8), reason: 'it is no object' },
    { place: place(9), reason: 'the document_id is not a text' },
    { place: place(11), reason: 'a document cannot be called ".."' },
    { place: place(12), reason: 'the document id has more than 1024 characters' },
  ]);
});

test.each([
  ['in the first key', {}],
  ['after more keys than are taken', Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, 1]))],
])(
  'metadata that is nested too deeply to be written as JSON is named by what is wrong with it: %s',
  async (_, keys) => {
    const metadata = `${JSON.stringify(keys).slice(0, -1)}${Object.keys(keys).length > 0 ? ',' : ''}"deep":`;
    const line = `{"content": "x", "metadata": ${metadata}${'['.repeat(20_000)}${']'.repeat(20_000)}}}`;
    const { faults } = await readFile('items.jsonl', line);
    expect(faults).toEqual([
      {
        place: 'items.jsonl, line 1',
        reason: expect.stringMatching(/cannot be stored: .*(a list of strings|16 keys)/),
      },
    ]);
  },
);
