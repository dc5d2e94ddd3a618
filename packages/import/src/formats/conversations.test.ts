import { expect, test } from 'vitest';
import { readFile } from '../testing/read-files.ts';
import { chatgptConversation, claudeConversation, claudeMessages, shortChat } from '../testing/samples.ts';

test('a conversation of ChatGPT is a document whose turns have roles, dates and the title', async () => {
  const read = await readFile('conversations.json', JSON.stringify([chatgptConversation(shortChat)]));
  expect(read).toMatchObject({ faults: [], formats: ['chatgpt'] });
  const context = 'A cat for Alba';
  const eventDate = '2024-03-01T09:30:00.500Z';
  expect(read.documents).toEqual([
    {
      id: 'chatgpt/c-1',
      place: 'conversations.json, record 1',
      items: [
        { content: 'Alba adopted a cat called Miso.', role: 'user', eventDate, context },
        { content: 'I looked up food for young cats.', role: 'assistant', eventDate, context },
      ],
    },
  ]);
});

test('only the branch of ChatGPT that is shown is read', async () => {
  const edited = [
    ...shortChat,
    { id: 'q2', parent: 'root', role: 'user', text: 'Alba adopted a dog.' },
    { id: 'a2', parent: 'q2', role: 'assistant', text: 'Dogs need walks.' },
  ];
  const contentsOf = async (conversation: object) =>
    (await readFile('x.json', JSON.stringify([conversation]))).documents[0]?.items.map(({ content }) => content);
  expect(await contentsOf(chatgptConversation(edited))).toEqual(['Alba adopted a dog.', 'Dogs need walks.']);
  const first = chatgptConversation(edited, { current_node: 'a' });
  expect(await contentsOf(first)).toEqual(['Alba adopted a cat called Miso.', 'I looked up food for young cats.']);
  expect(await contentsOf(chatgptConversation(edited, { current_node: null }))).toHaveLength(2);
});

test('calls of tools, hidden messages, reasoning and pictures of ChatGPT are not read; transcripts are', async () => {
  const said = [
    { id: '1', parent: null, role: 'system', text: 'You are helpful.' },
    {
      id: '2',
      parent: '1',
      role: 'user',
      text: 'Be brief.',
      fields: { metadata: { is_visually_hidden_from_conversation: true } },
    },
    { id: '3', parent: '2', role: 'assistant', text: 'search("cats")', fields: { recipient: 'browser' } },
    { id: '4', parent: '3', role: 'tool', text: 'Results' },
    { id: '5', parent: '4', role: 'assistant', fields: { content: { content_type: 'thoughts', thoughts: [] } } },
    {
      id: '6',
      parent: '5',
      role: 'user',
      fields: {
        content: {
          content_type: 'multimodal_text',
          parts: [
            { content_type: 'image_asset_pointer' },
            { content_type: 'audio_transcription', text: 'Hello there.' },
            'And bye.',
          ],
        },
      },
    },
  ];
  const { documents } = await readFile('x.json', JSON.stringify([chatgptConversation(said)]));
  expect(documents[0]?.items.map(({ content }) => content)).toEqual(['Hello there.\nAnd bye.']);
});

test('a chain of messages that leads back to itself ends', async () => {
  const circle = [
    { id: 'a', parent: 'b', role: 'user', text: 'One.' },
    { id: 'b', parent: 'a', role: 'assistant', text: 'Two.' },
  ];
  const { documents } = await readFile('x.json', JSON.stringify([chatgptConversation(circle)]));
  expect(documents[0]?.items).toHaveLength(2);
});

test('a conversation of Claude is a document with its turns, without the calls of tools, with attachments', async () => {
  const attached = {
    ...claudeMessages[0],
    attachments: [{ file_name: 'list.txt', extracted_content: 'Rope, anchor.' }],
  };
  const read = await readFile(
    'conversations.json',
    JSON.stringify([claudeConversation([attached, claudeMessages[1] ?? {}])]),
  );
  expect(read).toMatchObject({ faults: [], formats: ['claude'] });
  expect(read.documents[0]?.id).toBe('claude/u-1');
  expect(read.documents[0]?.items).toEqual([
    {
      content: 'Rope, anchor.',
      role: 'user',
      eventDate: '2024-05-01T10:00:01.123Z',
      context: 'Boats, attachment list.txt',
    },
    { content: 'Bruno bought a blue boat.', role: 'user', eventDate: '2024-05-01T10:00:01.123Z', context: 'Boats' },
    {
      content: 'A blue boat needs paint every year.',
      role: 'assistant',
      eventDate: '2024-05-01T10:00:09.000Z',
      context: 'Boats',
    },
  ]);
});

test('a turn with a date that cannot be read is named, and the others are read', async () => {
  const wrong = { sender: 'human', text: 'Lost.', created_at: 'yesterday' };
  const read = await readFile('c.json', JSON.stringify([claudeConversation([wrong, ...claudeMessages])]));
  expect(read.documents[0]?.items).toHaveLength(2);
  expect(read.faults).toEqual([
    { place: 'c.json, record 1, turn 1', reason: expect.stringMatching(/the date "yesterday" cannot be read/) },
  ]);
});

test('a message of Claude that cannot be read is named, and the others are read', async () => {
  const unknown = [{ sender: 'robot', text: 'Beep.' }, { text: 'Nobody said this.' }, []];
  const read = await readFile('c.json', JSON.stringify([claudeConversation([...unknown, ...claudeMessages])]));
  expect(read.documents[0]?.items).toHaveLength(2);
  const reason = expect.stringContaining('no message of Claude');
  expect(read.faults).toEqual([1, 2, 3].map((turn) => ({ place: `c.json, record 1, turn ${turn}`, reason })));
});

test('a message of ChatGPT that cannot be read is named, and the others are read', async () => {
  const last = { id: 'z', parent: 'a', role: 'user', fields: { content: 'Thanks.' } };
  const read = await readFile('c.json', JSON.stringify([chatgptConversation([...shortChat, last])]));
  expect(read.documents[0]?.items).toHaveLength(2);
  expect(read.faults).toEqual([
    { place: 'c.json, record 1, turn 3', reason: expect.stringContaining('no message of ChatGPT') },
  ]);
});

test.each([
  ['a message that cannot be read', { sender: 'robot', text: 'Beep.' }],
  ['a date that cannot be read', { sender: 'human', text: 'Lost.', created_at: 'yesterday' }],
])('a conversation of one turn with %s counts as a fault alone', async (_, turn) => {
  const read = await readFile('c.json', JSON.stringify([claudeConversation([turn])]));
  expect(read).toMatchObject({ documents: [], leftOut: 0, faults: [{ place: 'c.json, record 1, turn 1' }] });
});

test('an empty conversation is left out, and one without an id is named', async () => {
  const empty = claudeConversation([{ sender: 'human', text: ' ' }]);
  const read = await readFile('c.json', JSON.stringify([empty, { chat_messages: [] }]));
  expect(read).toMatchObject({ documents: [], leftOut: 1, faults: [{ place: 'c.json, record 2' }] });
});
