import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentProfile, BackgroundReply, SearchReply, ThinkReply, UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

/** A `curl` command of the README; without a body it is a GET. */
interface Example {
  readonly path: string;
  readonly body: string | undefined;
}

const address = /^ *'?http:\/\/127\.0\.0\.1:8080([^\s']*)/;
const data = / -d '([^']*)'/;

let http: HttpClient;
let readme: string;
let examples: readonly Example[];
beforeAll(async () => {
  readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
  const conversation = readme.slice(readme.indexOf('## First conversation'), readme.indexOf('Create an API key'));
  examples = conversation
    .split(/^curl -s /m)
    .slice(1)
    .map((command) => ({ path: address.exec(command)?.[1] ?? '', body: data.exec(command)?.[1] }));
  const system = await shareSystem({ EMBEDDING_MODEL: 'builtin:minilm' });
  http = await system.ownSpace();
  expect((await run('/api/memories/batch')).status).toBe(200);
  return system.release;
});

/** Sends the example as the README has it. */
function run<Body>(path: string, change: Readonly<Record<string, string>> = {}) {
  const example = examples.find((each) => each.path === path);
  if (example === undefined) throw new Error(`The README has no example of ${path}`);
  if (example.body === undefined) return http.get<Body>(path);
  return http.post<Body>(path, { ...JSON.parse(example.body), ...change });
}

test('all examples are read', () => {
  expect(examples.map(({ path, body }) => [path, body !== undefined])).toEqual([
    ['/api/memories/batch', true],
    ['/api/search', true],
    ['/api/list?agent_id=demo', false],
    ['/api/documents?agent_id=demo', false],
    ['/api/stats/demo', false],
    ['/api/memories/batch_async', true],
    ['/api/operations/demo', false],
    ['/api/think', true],
    ['/api/agents/demo/background', true],
  ]);
});

test('the search finds what the README says first', async () => {
  const { body } = await run<SearchReply>('/api/search');
  expect(body.results[0]).toMatchObject({ text: expect.stringContaining('Lisbon'), relevance: 'high' });
  expect(readme).toContain(`The first result is \`${body.results[0]?.text}\``);
});

test('a question without any of its words finds it too', async () => {
  const { body } = await run<SearchReply>('/api/search', { query: 'which city is her home' });
  expect(body.results[0]?.text).toContain('Lisbon');
});

test('the agent answers what the README says', async () => {
  const { body } = await run<ThinkReply>('/api/think');
  expect(body.text).toMatch(/I remember: .*Lisbon/);
  expect(readme).toContain(`\`${body.text}\``);
});

test.each(['What is the capital of Peru?', 'Which car does Carla drive?', 'How do I bake bread?'])(
  'it does not know: %s',
  async (query) => {
    expect((await run<ThinkReply>('/api/think', { query })).body.text).toMatch(/^I do not know/);
  },
);

test('the background gives the agent a trait', async () => {
  const { body } = await run<BackgroundReply>('/api/agents/demo/background');
  expect(body.background).toBe('I am a curious travel guide from Porto.');
  expect(body.personality?.openness).toBeGreaterThan(0.5);
  const profile = await http.get<AgentProfile>('/api/agents/demo/profile');
  expect(profile.body.personality).toEqual(body.personality);
});

test('what is stored is listed, also from a batch without waiting for it', async () => {
  expect((await run('/api/documents?agent_id=demo')).body).toMatchObject({ items: [{ id: 'chat-1' }] });
  expect((await run('/api/stats/demo')).status).toBe(200);
  expect((await run('/api/memories/batch_async')).body).toMatchObject({ success: true });
  expect((await run('/api/operations/demo')).status).toBe(200);
  await eventually('the cat is listed', async () => {
    const { body } = await run<UnitList>('/api/list?agent_id=demo');
    return body.items.some(({ text }) => text === 'Alice adopted a cat called Miso.') && body.items.length === 3;
  });
});
