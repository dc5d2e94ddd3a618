import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, Mneme } from '@mneme/client';
import { atFullLength } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf } from '../system/client-of.ts';
import { type NodeProcess, startNode } from '../system/node-process.ts';
import { createKey, newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';

let system: SharedSystem;
let person: Person;
let mneme: Mneme;
let key: string;
let folder: string;
beforeAll(async () => {
  system = await shareSystem();
  person = await newPerson(system.http);
  mneme = clientOf(person);
  ({ key } = await createKey(person, { scopes: ['memory:read', 'memory:write'] }));
  folder = await mkdtemp(join(tmpdir(), 'mneme-import-'));
  return system.release;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(agentId: string, paths: readonly string[], ...options: string[]): NodeProcess {
  const parameters = ['import', `--agent=${agentId}`, ...options, ...paths];
  const environment = { MNEME_URL: system.http.url, MNEME_API_KEY: key, INIT_CWD: folder };
  return startNode({ entry: 'packages/cli/src/main.ts', parameters, environment });
}

/** What an import prints, and its exit code. */
async function runImport(agentId: string, paths: readonly string[], ...options: string[]) {
  const started = start(agentId, paths, ...options);
  const { code } = await started.exited;
  expect(started.output()).not.toContain(key);
  return { code, says: started.output(), errors: started.errors() };
}

async function write(name: string, content: unknown): Promise<string> {
  const isText = typeof content === 'string';
  await writeFile(join(folder, name), isText ? content : JSON.stringify(content));
  return name;
}

/** All documents of an agent: their ids and hashes; and all texts that it remembers. */
async function memoryOf(agent: Agent) {
  const documents = await agent.documents.list({ pageSize: 1_000 }).all();
  const texts = (await agent.memories.list({ pageSize: 1_000 }).all()).map(({ text }) => text);
  return {
    documents: documents.map(({ id, content_hash, updated_at }) => `${id} ${content_hash} ${updated_at}`).toSorted(),
    texts: texts.toSorted(),
  };
}

function claudeChat(uuid: string, ...texts: string[]): object {
  const chat_messages = texts.map((text, index) => ({
    sender: index % 2 === 0 ? 'human' : 'assistant',
    text,
    created_at: `2024-05-01T10:0${index}:00Z`,
  }));
  return { uuid, name: 'Small talk', created_at: '2024-05-01T10:00:00Z', chat_messages };
}

test('every kind of file is imported once, can be searched, and is not imported again', async () => {
  await mkdir(join(folder, 'kinds'));
  const say = (role: string, text: string) => ({
    author: { role },
    create_time: 1_709_285_400,
    content: { content_type: 'text', parts: [text] },
  });
  await write('kinds/chatgpt.json', [
    {
      conversation_id: 'c-1',
      title: 'Cats',
      create_time: 1_709_285_400,
      current_node: 'b',
      mapping: {
        a: { parent: null, children: ['b'], message: say('user', 'Alba adopted a cat called Miso.') },
        b: { parent: 'a', children: [], message: say('assistant', 'Young cats like to climb curtains.') },
      },
    },
  ]);
  await write('kinds/claude.json', [claudeChat('u-1', 'Bruno bought a blue boat.', 'Boats need paint every spring.')]);
  await write('kinds/mem0.json', {
    results: [
      { id: 'm-1', memory: 'Carla is allergic to walnuts.', user_id: 'carla', created_at: '2024-06-01T08:00:00Z' },
    ],
  });
  const unit = { id: 'h-1', text: 'Dora plays the cello.', fact_type: 'world', mentioned_at: '2024-07-01T00:00:00Z' };
  await write('kinds/hindsight.json', { items: [unit], total: 1 });
  await write(
    'kinds/items.jsonl',
    '{"content": "Emil lives in Ghent.", "event_date": "2024-08-01", "metadata": {"room": "hall"}}\n',
  );
  await write('kinds/notes.md', '# Garden\n\nFrida planted a fig tree.\n');
  await write('kinds/plain.txt', 'Gustav repairs old clocks.');
  const agent = mneme.agent('kinds');

  const dry = await runImport('kinds', ['kinds'], '--dry-run', '--url=http://127.0.0.1:9');
  expect(dry).toMatchObject({ code: 0, errors: '' });
  expect(dry.says).toContain('7 documents with 9 items would be stored');
  expect(await agent.documents.list().all()).toEqual([]);

  const first = await runImport('kinds', ['kinds']);
  expect(first).toMatchObject({ code: 0, errors: '' });
  expect(first.says).toContain('7 documents stored, 0 replaced, 0 unchanged, 0 faults.');
  for (const line of [
    'kinds/chatgpt.json: chatgpt',
    'kinds/claude.json: claude',
    'kinds/mem0.json: mem0',
    'kinds/notes.md: markdown',
  ]) {
    expect(first.says).toContain(line);
  }
  const questions = {
    'What is the cat of Alba called?': ['chatgpt/c-1', 'Miso', '2024-03-01T09:30:00.000Z', 'Cats'],
    'Which boat did Bruno buy?': ['claude/u-1', 'blue', '2024-05-01T10:00:00.000Z', 'Small talk'],
    'What is Carla allergic to?': ['mem0/m-1', 'walnuts', '2024-06-01T08:00:00.000Z', null],
    'What does Dora play?': ['hindsight/unit/h-1', 'cello', '2024-07-01T00:00:00.000Z', null],
    'Where does Emil live?': ['kinds/items.jsonl', 'Ghent', '2024-08-01T00:00:00.000Z', null],
    'Which tree did Frida plant?': ['kinds/notes.md', 'fig', expect.any(String), 'Garden'],
    'What does Gustav repair?': ['kinds/plain.txt', 'clocks', expect.any(String), null],
  };
  for (const [question, [document_id, word, event_date, context]] of Object.entries(questions)) {
    const [best] = (await agent.recall(question, { limit: 1 })).results;
    expect(best).toMatchObject({ document_id, event_date, text: expect.stringContaining(word) });
    expect(best?.context || null).toEqual(context);
  }
  const [owned] = (await agent.recall('What is Carla allergic to?', { filter: { user_id: 'carla' } })).results;
  expect(owned?.document_id).toBe('mem0/m-1');

  const before = await memoryOf(agent);
  const second = await runImport('kinds', ['kinds']);
  expect(second.says).toContain('0 documents stored, 0 replaced, 7 unchanged, 0 faults.');
  expect(await memoryOf(agent)).toEqual(before);
});

test('a changed conversation replaces its document, also back to what it was', async () => {
  const agent = mneme.agent('changing');
  const texts = async () => (await memoryOf(agent)).texts;
  const one = [claudeChat('u', 'The shed is red.')];
  const two = [claudeChat('u', 'The shed is red.', 'The fence is green.')];
  for (const [content, outcome] of [
    [one, '1 documents stored, 0 replaced'],
    [two, '0 documents stored, 1 replaced'],
    [one, '0 documents stored, 1 replaced'],
    [two, '0 documents stored, 1 replaced'],
  ] as const) {
    expect((await runImport('changing', [await write('changing.json', content)])).says).toContain(outcome);
    expect(await texts()).toHaveLength(content === one ? 1 : 2);
  }
});

test('what was deleted or erased is imported again', async () => {
  const agent = mneme.agent('deleted');
  const file = await write('deleted.json', [claudeChat('u', 'The lake is frozen.')]);
  const stored = '1 documents stored';
  expect((await runImport('deleted', [file])).says).toContain(stored);
  await agent.documents.delete('claude/u');
  expect((await runImport('deleted', [file])).says).toContain(stored);
  await agent.erase();
  expect((await runImport('deleted', [file])).says).toContain(stored);
  expect((await memoryOf(agent)).texts).toEqual(['The lake is frozen.']);
});

test('after a kill in the middle the same command continues, and everything is there once', async () => {
  const count = 60;
  const chats = Array.from({ length: count }, (_, index) =>
    claudeChat(`k-${index}`, `Parcel ${index} weighs ${index + 1} kilos.`, `Parcel ${index} goes to house ${index}.`),
  );
  const file = await write('killed.json', chats);
  const agent = mneme.agent('killed');
  for (const [signal, exit] of [
    ['SIGKILL', { code: null, signal: 'SIGKILL' }],
    ['SIGINT', { code: 130, signal: null }],
  ] as const) {
    // What the last run has sent is stored before the next one starts.
    await expect.poll(async () => (await agent.stats()).pending_operations, { timeout: 60_000 }).toBe(0);
    const started = start('killed', [file]);
    const before = (await agent.stats()).total_documents;
    await expect
      .poll(async () => (await agent.stats()).total_documents, { timeout: 60_000, interval: 20 })
      .toBeGreaterThan(before);
    expect(await started.kill(signal)).toEqual(exit);
    if (signal === 'SIGINT') expect(started.errors()).toContain('interrupted. Run the same command again');
  }
  expect((await agent.stats()).total_documents).toBeLessThan(count);
  const last = await runImport('killed', [file]);
  expect(last).toMatchObject({ code: 0, errors: '' });
  const [, stored, unchanged] = /(\d+) documents stored, 0 replaced, (\d+) unchanged/.exec(last.says) ?? [];
  expect(Number(stored) + Number(unchanged)).toBe(count);
  expect(Number(unchanged)).toBeGreaterThan(0);
  const { documents, texts } = await memoryOf(agent);
  expect(documents).toHaveLength(count);
  expect(texts).toHaveLength(2 * count);
  expect(new Set(texts).size).toBe(2 * count);
  expect(await agent.stats()).toMatchObject({ pending_operations: 0, failed_operations: 0 });
});

test.runIf(atFullLength)('a conversation of several batches is one document, also when it is repeated', async () => {
  const turns = Array.from({ length: 1_300 }, (_, index) => `Shelf ${index % 50} holds box ${index % 50}.`);
  const chat = {
    uuid: 'long',
    chat_messages: turns.map((text) => ({ sender: 'human', text, created_at: '2024-05-01T10:00:00Z' })),
  };
  const file = await write('long.json', [chat]);
  const started = start('long', [file]);
  const agent = mneme.agent('long');
  await expect
    .poll(async () => (await agent.stats()).total_nodes, { timeout: 60_000, interval: 20 })
    .toBeGreaterThan(0);
  await started.kill();
  expect(await runImport('long', [file])).toMatchObject({ code: 0, errors: '' });
  expect((await agent.documents.get('claude/long')).original_text).toBe(turns.join('\n'));
  // What is said once more is one memory.
  expect((await agent.stats()).total_nodes).toBe(50);
  expect((await runImport('long', [file])).says).toContain('1 unchanged');
});

test('what cannot be read is named on standard error, the rest is imported, and the exit code is 1', async () => {
  const good = await write('good.jsonl', '{"content": "The bell rings."}\n');
  const bad = await write(
    'bad.jsonl',
    [
      '{"content": "The gong is silent."}',
      'oops',
      '{"content": "x", "event_date": "someday"}',
      '{"content": "x", "document_id": ".."}',
      '',
    ].join('\n'),
  );
  const broken = await write('broken.json', '[{"id": "1", "memory": "The drum is loud."}, {"id": "2", "mem');
  const { code, errors, says } = await runImport('faulty', [bad, broken, good]);
  expect(code).toBe(1);
  expect(errors.trim().split('\n')).toEqual([
    'bad.jsonl, line 2: it is not JSON',
    expect.stringContaining('bad.jsonl, line 3: the date "someday" cannot be read'),
    'bad.jsonl, line 4: a document cannot be called ".."',
    expect.stringContaining('broken.json: the file ends in the middle of its list, after record 1'),
  ]);
  expect(says).toContain('3 documents stored, 0 replaced, 0 unchanged, 4 faults.');
  expect((await memoryOf(mneme.agent('faulty'))).texts).toEqual([
    'The bell rings.',
    'The drum is loud.',
    'The gong is silent.',
  ]);
  await appendFile(join(folder, bad), '{"content": "The flute is new."}\n');
  expect((await runImport('faulty', [bad])).says).toContain('0 documents stored, 1 replaced');
});

test('an import into a space of a user, and with a key that may not', async () => {
  const file = await write('space.jsonl', '{"content": "The harbour is deep."}');
  const space = await mneme.spaces.create({ name: 'Team', type: 'team' });
  const token = tokenOf(person.userId);
  expect(await runImport('sailor', [file], `--space=${space.id}`, `--key=${token}`)).toMatchObject({ code: 0 });
  const team = new Mneme({ baseUrl: system.http.url, apiKey: token, spaceId: space.id }).agent('sailor');
  expect((await memoryOf(team)).texts).toEqual(['The harbour is deep.']);
  const { key: reader } = await createKey(person, { scopes: ['memory:read'] });
  const refused = await runImport('sailor', [file], `--key=${reader}`);
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('The import ended early: FORBIDDEN') });
  expect(refused.errors).not.toContain('Run the same command');
  const wrong = await runImport('sailor', [file], '--key=sk-secret value');
  expect(wrong).toMatchObject({ code: 1, errors: expect.stringContaining('The API key is empty, or has blanks') });
  expect(wrong.says).not.toContain('secret');
  const nowhere = await runImport('sailor', [file], '--url=http://127.0.0.1:9');
  expect(nowhere).toMatchObject({ code: 1, errors: expect.stringContaining('NETWORK_ERROR') });
  expect(await runImport('sailor', ['nowhere.json'])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('There is no nowhere.json'),
  });
});
