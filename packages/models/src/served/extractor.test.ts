import { beforeAll, describe, expect, test } from 'vitest';
import type { FactExtractor } from '../ports.ts';
import { connectModels } from '../testing/index.ts';
import { useModelServer } from '../testing/use-model-server.ts';

const server = useModelServer();
let extractor: FactExtractor;

beforeAll(async () => {
  ({ extractor } = await connectModels(server, { LLM_MAX_RETRIES: '0', EMBEDDING_DIMENSIONS: '8' }));
});

const eventDate = '2023-05-08T23:30:00-08:00';
const sentence = 'The committee met in the old town hall and talked about the bridge for a long time. ';

function extract(content: string, date = eventDate, context: string | null = null) {
  return extractor.extract({ content, eventDate: date, context });
}

function answer(...facts: readonly object[]) {
  const plain = { text: 'Anna sings.', type: 'world', date: null, entities: [] };
  server.replies.always('extract', { json: { facts: facts.map((fact) => ({ ...plain, ...fact })) } });
}

test('facts are returned as the model gives them', async () => {
  answer({
    text: ' Anna moved to Rome yesterday (7 May 2023). ',
    date: '2023-05-07',
    entities: [{ name: 'Anna', type: 'PERSON' }],
  });
  expect(await extract('I moved to Rome yesterday')).toEqual([
    {
      text: 'Anna moved to Rome yesterday (7 May 2023).',
      factType: 'world',
      eventDate: '2023-05-07T20:00:00.000Z',
      entities: [{ name: 'Anna', type: 'PERSON' }],
    },
  ]);
  expect(extractor.promptVersion).toBe('extract.v3');
});

test('the prompt has the date with offset, and the context of the item', async () => {
  await extract('I moved.', eventDate, 'about homes');
  expect(server.requests[0]?.prompt).toContain('Monday, 8 May 2023, 23:30 (UTC-08:00)');
  expect(server.requests[0]?.prompt).toMatch(/<context-\w{8}>\nabout homes\n<\/context-\w{8}>/);
});

describe('the date of a fact', () => {
  test.each([
    ['2023-05-07', eventDate, '2023-05-07T20:00:00.000Z'],
    ['2023-05-08', eventDate, '2023-05-09T07:30:00.000Z'],
    ['2023-05-07T09:00:00Z', eventDate, '2023-05-07T20:00:00.000Z'],
    [null, eventDate, '2023-05-09T07:30:00.000Z'],
    ['', eventDate, '2023-05-09T07:30:00.000Z'],
    ['last week', eventDate, '2023-05-09T07:30:00.000Z'],
    ['2023-02-31', eventDate, '2023-05-09T07:30:00.000Z'],
    ['2023-05-07', 'some day', '2023-05-07T12:00:00.000Z'],
    [null, 'some day', null],
  ])('%j, said at %s, is %s', async (date, saidAt, expected) => {
    answer({ date });
    const [fact] = await extract('I moved.', saidAt);
    expect(fact?.eventDate).toBe(expected);
  });
});

describe('whose words they are', () => {
  test.each(['agent', 'opinion'])('what only people say is never of type %s', async (type) => {
    answer({ type });
    const [fact] = await extract('User: I booked a table, and I think it is a good one.\nAnna: I agree.');
    expect(fact?.factType).toBe('world');
  });

  test.each(['agent', 'opinion'])('where the agent speaks, too, the type %s stays', async (type) => {
    answer({ type });
    const [fact] = await extract('User: Book a table.\nAssistant: I booked one. I think it is good.');
    expect(fact?.factType).toBe(type);
  });
});

test('a label before a colon does not make an item of the assistant one of others', async () => {
  answer({ type: 'agent' });
  const content = 'Flights: TP123.\nI booked it for you.';
  const [fact] = await extractor.extract({ content, eventDate, context: null, role: 'assistant' });
  expect(fact?.factType).toBe('agent');
  expect(server.requests[0]?.prompt).toMatch(/\bassistant\b/);
});

describe('what the agent says under its own name', () => {
  const content = 'Anna: Where to?\nMira: I recommended Rome.';
  const item = { content, eventDate, context: null, agentName: 'mira' };

  test.each(['agent', 'opinion'])('keeps the type %s, and the prompt has the name', async (type) => {
    answer({ type });
    const [fact] = await extractor.extract(item);
    expect(fact?.factType).toBe(type);
    expect(server.requests[0]?.prompt).toContain('under which it speaks in the text: Mira');
  });

  test('is of type world for other agents and in an item of a user, and the prompt has no name', async () => {
    answer({ type: 'agent' });
    const others = [
      { ...item, agentName: 'nora' },
      { ...item, role: 'user' as const },
    ];
    for (const other of others) expect((await extractor.extract(other))[0]?.factType).toBe('world');
    for (const { prompt } of server.requests) expect(prompt).not.toContain('under which it speaks');
  });
});

describe('answers that are nearly right', () => {
  test('types in capitals, types of their own, and fields that are missing', async () => {
    answer({
      type: 'WORLD',
      date: undefined,
      entities: [
        { name: 'Rome', type: 'City' },
        { name: 'Anna', type: 'person' },
        { name: 'Acme', type: 'organization' },
        { name: 'X', type: 'spell' },
      ],
    });
    const [fact] = await extract('I moved.');
    expect(fact?.entities.map(({ type }) => type)).toEqual(['PLACE', 'PERSON', 'ORG', 'OTHER']);
  });

  test('blank facts, and entities that are blank, endless or there already, are left out', async () => {
    const entities = ['', ' ', 'x'.repeat(500), 'Anna', ' anna '].map((name) => ({ name, type: 'PERSON' }));
    answer({ text: '  ' }, { entities });
    expect((await extract('I moved.')).map((fact) => fact.entities)).toEqual([[{ name: 'Anna', type: 'PERSON' }]]);
  });

  test('a list of facts in a code fence', async () => {
    server.replies.always(
      'extract',
      '```json\n{"facts":[{"text":"Anna sings.","type":"world","date":null,"entities":[]}]}\n```',
    );
    expect(await extract('She sings.')).toHaveLength(1);
  });
});

describe('a long item', () => {
  const long = Array.from({ length: 30 }, (_, i) => `Part ${i}. ${sentence.repeat(12)}`).join('\n\n');

  test('is read in chunks, and the facts keep their order', async () => {
    server.replies.always('extract', ({ prompt }) => {
      const parts = [...(prompt.split('<text-')[1] ?? '').matchAll(/Part (\d+)\./g)];
      return { json: { facts: parts.map(([text]) => ({ text, type: 'world', date: null, entities: [] })) } };
    });
    const facts = await extract(long);
    expect(facts.map(({ text }) => text)).toEqual(Array.from({ length: 30 }, (_, i) => `Part ${i}.`));
    expect(server.calls()).toBeGreaterThan(5);
    expect(server.peak()).toBeLessThanOrEqual(4);
    const lengths = server.requests.map(({ prompt }) => prompt.split(/<text-\w{8}>\n/)[1]?.length ?? 0);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(5_000 + '\n</text-01234567>'.length);
    expect(server.requests.filter(({ prompt }) => prompt.includes('<before-'))).toHaveLength(server.calls() - 1);
  });

  test('fails as a whole when a chunk fails, and makes no further requests', async () => {
    server.replies.next('extract', { fault: 'not-found' });
    await expect(extract(long.repeat(10))).rejects.toMatchObject({ code: 'configuration' });
    expect(server.calls()).toBeLessThanOrEqual(8);
  });
});

test.each(['', '  \n', '\u200b'])('%j makes no request', async (content) => {
  expect(await extract(content)).toEqual([]);
  expect(server.calls()).toBe(0);
});
