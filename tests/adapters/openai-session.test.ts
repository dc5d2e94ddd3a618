import type { Mneme } from '@mneme/client';
import { MnemeSession } from '@mneme/client/openai-agents';
import { Agent, type AgentInputItem, type Model, type ModelRequest, Runner, Usage } from '@openai/agents';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientsOf } from '../system/client-of.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

let system: SharedSystem;
let newClient: (url?: string) => Mneme;
let mneme: Mneme;
beforeAll(async () => {
  system = await shareSystem();
  newClient = await clientsOf(system.http);
  mneme = newClient();
});
afterAll(() => system.release());

const user = (content: string): AgentInputItem => ({ role: 'user', content });
const assistant = (text: string): AgentInputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});
const textsOf = (items: AgentInputItem[]) => items.map((item) => ('content' in item ? item.content : item.type));

const odd: AgentInputItem[] = [
  user('first line\nsecond line \u001e{"pop":"x"}\n\u001e{"item":{}}  '),
  { type: 'function_call', callId: 'c1', name: 'weather', arguments: '{"city":"Lisbon"}', status: 'completed' },
  {
    type: 'function_call_result',
    callId: 'c1',
    name: 'weather',
    status: 'completed',
    output: { type: 'text', text: 'sunny' },
  },
  { type: 'reasoning', content: [{ type: 'input_text', text: 'hm' }], providerData: { encrypted: 'a\u0000b' } },
  assistant('It is sunny 👩‍👩‍👧 \ud800'),
  { role: 'user', content: [{ type: 'input_image', image: 'data:image/png;base64,AAAA' }] },
  user(''),
];

test('items come back exactly and in order, also to another process', async () => {
  const session = new MnemeSession(mneme.agent('exact'));
  expect(await session.getItems()).toEqual([]);
  await session.addItems([]);
  await session.addItems(odd.slice(0, 2));
  await session.addItems(odd.slice(2));
  expect(await session.getItems()).toEqual(odd);
  const sessionId = await session.getSessionId();
  const other = new MnemeSession(newClient().agent('exact'), { sessionId });
  expect(await other.getItems()).toEqual(odd);
  expect(await other.getItems(2)).toEqual(odd.slice(-2));
  expect(await other.getItems(100)).toEqual(odd);
  expect(await other.getItems(0)).toEqual([]);
  expect(await other.getItems(-1)).toEqual([]);
});

test('sessions are apart, and have ids of their own unless one is given', async () => {
  const agent = mneme.agent('apart');
  const [one, two] = [new MnemeSession(agent), new MnemeSession(agent)];
  await one.addItems([user('one')]);
  await two.addItems([user('two')]);
  expect(await one.getSessionId()).not.toBe(await two.getSessionId());
  expect([await one.getItems(), await two.getItems()]).toEqual([[user('one')], [user('two')]]);
  expect(await new MnemeSession(agent, { sessionId: 'chat/1' }).getSessionId()).toBe('chat/1');
});

test('the last item is popped, and what it said is forgotten', async () => {
  const agent = mneme.agent('pop');
  const session = new MnemeSession(agent, { sessionId: 's' });
  expect(await session.popItem()).toBeUndefined();
  await session.addItems([user('Carla lives in Lisbon.'), user('Dan lives in Rome. He has a boat.')]);
  expect((await agent.recall('Where does Dan live?', { minScore: 0 })).results.map(({ text }) => text)).toContain(
    'Dan lives in Rome.',
  );
  expect(await session.popItem()).toEqual(user('Dan lives in Rome. He has a boat.'));
  expect((await agent.memories.list().all()).map(({ text }) => text)).toEqual(['Carla lives in Lisbon.']);
  await session.addItems([user('three')]);
  expect(await session.getItems()).toEqual([user('Carla lives in Lisbon.'), user('three')]);
  expect([await session.popItem(), await session.popItem(), await session.popItem()]).toEqual([
    user('three'),
    user('Carla lives in Lisbon.'),
    undefined,
  ]);
  expect(await session.getItems()).toEqual([]);
});

test('a session is cleared with its memories, and used again', async () => {
  const agent = mneme.agent('clear');
  const session = new MnemeSession(agent, { sessionId: 's' });
  await session.clearSession();
  await session.addItems([user('Carla lives in Lisbon.'), assistant('Noted.')]);
  await session.clearSession();
  expect([await session.getItems(), await agent.memories.list().all()]).toEqual([[], []]);
  await session.addItems([user('again')]);
  expect(await session.getItems()).toEqual([user('again')]);
});

test('two processes add at once: all items are there, those of each in order', async () => {
  const gateway = await system.addGateway();
  const sessionId = 'both';
  const sessions = [newClient(), newClient(gateway.http.url)].map((client) => {
    return new MnemeSession(client.agent('both'), { sessionId });
  });
  const count = 40;
  const add = async (session: MnemeSession, author: string) => {
    for (let index = 0; index < count; index += 2) {
      await session.addItems([user(`${author} ${index}`), user(`${author} ${index + 1}`)]);
    }
  };
  await Promise.all([...sessions, ...sessions].map((session, author) => add(session, `author ${author}`)));
  const items = textsOf((await new MnemeSession(newClient().agent('both'), { sessionId }).getItems()) ?? []);
  expect(items).toHaveLength(4 * count);
  for (let author = 0; author < 4; author += 1) {
    const own = items.filter((text) => String(text).startsWith(`author ${author} `));
    expect(own).toEqual(Array.from({ length: count }, (_, index) => `author ${author} ${index}`));
  }
});

test('two processes pop at once: each item is returned once', async () => {
  const sessions = [newClient(), newClient()].map((client) => {
    return new MnemeSession(client.agent('pops'), { sessionId: 's', remember: false });
  });
  const all = Array.from({ length: 20 }, (_, index) => user(`item ${index}`));
  await sessions[0]?.addItems(all);
  const popped = await Promise.all(Array.from({ length: 24 }, (_, index) => sessions[index % 2]?.popItem()));
  const texts = textsOf(popped.filter((item) => item !== undefined));
  expect(texts.toSorted()).toEqual(textsOf(all).toSorted());
  expect(await sessions[1]?.getItems()).toEqual([]);
});

test('a long session, added at once', async () => {
  const agent = mneme.agent('long');
  const session = new MnemeSession(agent, { remember: false });
  const all = Array.from({ length: 1_200 }, (_, index) => user(`item ${index}`));
  await session.addItems(all);
  expect(await session.getItems()).toEqual(all);
  expect(await agent.memories.list().all()).toEqual([]);
});

/** A model that says how many messages it was given, and what the user said first. */
class StandIn implements Model {
  async getResponse({ input }: ModelRequest) {
    const items = typeof input === 'string' ? [user(input)] : input;
    const text = `I have ${items.length} items. You first said: ${JSON.stringify(textsOf(items)[0])}`;
    const output = [assistant(text)] as never;
    return { usage: new Usage(), output, responseId: `r${items.length}` };
  }
  // biome-ignore lint/correctness/useYield: nothing here streams
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error('The stand-in does not stream');
  }
}

test('an agent of the SDK continues its session, and its memory knows what was said', async () => {
  const agent = mneme.agent('runner');
  const runner = new Runner({ tracingDisabled: true });
  const assistantOfSdk = new Agent({ name: 'Assistant', model: new StandIn() });
  const open = () => new MnemeSession(newClient().agent('runner'), { sessionId: 'chat' });
  const first = await runner.run(assistantOfSdk, 'My sister Carla lives in Lisbon.', { session: open() });
  expect(first.finalOutput).toContain('I have 1 items');
  const second = await runner.run(assistantOfSdk, 'Where does she live?', { session: open() });
  expect(second.finalOutput).toContain('I have 3 items. You first said: "My sister Carla lives in Lisbon."');
  expect(await open().getItems()).toHaveLength(4);
  const { results } = await agent.recall('Where does Carla live?', { after: undefined });
  expect(results[0]?.text).toContain('Carla lives in Lisbon');
  expect((await agent.memories.list().all()).map(({ text }) => text).join('\n')).not.toContain('"role"');
});
