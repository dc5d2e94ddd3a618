/** Made-up exports, as small as they can be while they have what real ones have. */

interface Said {
  readonly id: string;
  readonly parent: string | null;
  readonly role?: string;
  readonly text?: string;
  readonly fields?: object;
}

/** A conversation of ChatGPT from its messages, which are linked by their parents. */
export function chatgptConversation(said: readonly Said[], fields: object = {}): object {
  const nodes = said.map(({ id, parent, role, text, fields: own }) => {
    const children = said.filter((other) => other.parent === id).map((other) => other.id);
    const content = { content_type: 'text', parts: [text] };
    const message = role
      ? { id, author: { role }, create_time: 1_709_285_400.5, content, recipient: 'all', ...own }
      : null;
    return [id, { id, parent, children, message }];
  });
  return {
    title: 'A cat for Alba',
    create_time: 1_709_285_400,
    conversation_id: 'c-1',
    current_node: said.at(-1)?.id,
    mapping: Object.fromEntries(nodes),
    ...fields,
  };
}

/** Two turns below an empty root, as every conversation of ChatGPT begins. */
export const shortChat: readonly Said[] = [
  { id: 'root', parent: null },
  { id: 'q', parent: 'root', role: 'user', text: 'Alba adopted a cat called Miso.' },
  { id: 'a', parent: 'q', role: 'assistant', text: 'I looked up food for young cats.' },
];

export function claudeConversation(messages: readonly object[], fields: object = {}): object {
  return { uuid: 'u-1', name: 'Boats', created_at: '2024-05-01T10:00:00.000000Z', chat_messages: messages, ...fields };
}

export const claudeMessages: readonly object[] = [
  { sender: 'human', text: 'Bruno bought a blue boat.', created_at: '2024-05-01T10:00:01.123456Z' },
  {
    sender: 'assistant',
    text: 'This block is not supported.',
    content: [
      { type: 'tool_use', name: 'weather', input: {} },
      { type: 'text', text: 'A blue boat needs paint every year.' },
    ],
    created_at: '2024-05-01T10:00:09Z',
  },
];

export const mem0Memory = {
  id: 'm-1',
  memory: 'Carla is allergic to walnuts',
  user_id: 'carla',
  agent_id: null,
  hash: 'd41d8cd9',
  metadata: { source: 'chat', nested: { a: 1 } },
  categories: ['health'],
  created_at: '2024-06-01T08:00:00-07:00',
  updated_at: null,
};

export const hindsightUnit = {
  id: 'h-1',
  text: 'Dora plays the cello in an orchestra',
  context: 'music',
  fact_type: 'world',
  entities: 'Dora (PERSON)',
  occurred_start: '2024-07-01T00:00:00+00:00',
  mentioned_at: '2024-07-02T00:00:00+00:00',
  document_id: 'talk-7',
  tags: ['music'],
};

export const hindsightDocument = {
  id: 'talk-8',
  bank_id: 'dora',
  original_text: 'Dora sold her cello.',
  content_hash: '0a',
  created_at: '2024-08-01T00:00:00+00:00',
  memory_unit_count: 1,
};
