import type { Agent } from '@mneme/client';
import { Mneme } from '@mneme/client';
import { memoryMiddleware, memoryTools } from '@mneme/client/ai-sdk';
import { generateText, isStepCount, type LanguageModel, streamText, wrapLanguageModel } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientsOf } from '../system/client-of.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

let system: SharedSystem;
let mneme: Mneme;
beforeAll(async () => {
  system = await shareSystem();
  mneme = (await clientsOf(system.http))();
});
afterAll(() => system.release());

type Answer = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const stop = { unified: 'stop', raw: 'stop' } as const;
const says = (text: string): Answer => ({
  content: [{ type: 'text', text }],
  finishReason: stop,
  usage,
  warnings: [],
});
const calls = (toolName: string, input: unknown, text?: string): Answer => ({
  content: [
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    { type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) },
  ],
  finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
  usage,
  warnings: [],
});
const withMemory = (model: MockLanguageModelV4, agent: Agent, options = {}): LanguageModel =>
  wrapLanguageModel({ model, middleware: memoryMiddleware(agent, options) });
const textsOf = async (agent: Agent) => (await agent.memories.list().all()).map(({ text }) => text).sort();

test('what was said in one conversation is before the message of another one, as data', async () => {
  const agent = mneme.agent('middleware');
  const model = new MockLanguageModelV4({ doGenerate: [says('Noted.'), says('In Lisbon.')] });
  await generateText({ model: withMemory(model, agent), prompt: 'My sister Carla lives in Lisbon.' });
  const { text } = await generateText({
    model: withMemory(model, agent),
    instructions: 'You are brief.',
    prompt: 'Where does Carla live?',
  });
  expect(text).toBe('In Lisbon.');
  const [first, second] = model.doGenerateCalls.map(({ prompt }) => prompt);
  expect(JSON.stringify(first)).not.toContain('recalled_memories');
  expect(second).toEqual([
    { role: 'system', content: 'You are brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: expect.stringContaining('Carla lives in Lisbon') },
        expect.objectContaining({ type: 'text', text: 'Where does Carla live?' }),
      ],
    },
  ]);
});

test('the exchange is remembered as a turn of a document, without what was recalled', async () => {
  const agent = mneme.agent('document');
  const model = new MockLanguageModelV4({ doGenerate: [says('The code is noted.'), says('It is 1234.')] });
  const remembering = withMemory(model, agent, { documentId: 'chat', metadata: { session: 's1' } });
  await generateText({ model: remembering, prompt: 'The gate code is 1234.' });
  await generateText({ model: remembering, prompt: 'What is the gate code?' });
  expect((await agent.documents.get('chat')).original_text).toBe(
    'The gate code is 1234.\nThe code is noted.\nWhat is the gate code?\nIt is 1234.',
  );
  expect((await agent.recall('gate code', { filter: { session: 's1' } })).results.length).toBeGreaterThan(0);
});

test('only the last message of a conversation is new', async () => {
  const agent = mneme.agent('history');
  const model = new MockLanguageModelV4({ doGenerate: says('You have a cat.') });
  await generateText({
    model: withMemory(model, agent),
    messages: [
      { role: 'user', content: 'Old message.' },
      { role: 'assistant', content: 'Old answer.' },
      { role: 'user', content: [{ type: 'text', text: 'I have a cat called Miso.' }] },
    ],
  });
  expect(await textsOf(agent)).toEqual(['I have a cat called Miso.', 'You have a cat.']);
});

const streamed = (deltas: string[], finish = true) => ({
  stream: convertArrayToReadableStream([
    { type: 'stream-start' as const, warnings: [] },
    { type: 'text-start' as const, id: '1' },
    ...deltas.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
    { type: 'text-end' as const, id: '1' },
    ...(finish
      ? [{ type: 'finish' as const, finishReason: stop, usage }]
      : [{ type: 'error' as const, error: 'broken' }]),
  ]),
});

test('a streamed answer passes as it comes, and is remembered when it ends; one that breaks off is not', async () => {
  const agent = mneme.agent('stream');
  const model = new MockLanguageModelV4({ doStream: streamed(['Lisbon is ', 'by the sea.']) });
  const result = streamText({ model: withMemory(model, agent), prompt: 'Tell me about Lisbon.' });
  const deltas: string[] = [];
  for await (const delta of result.textStream) deltas.push(delta);
  expect(deltas).toEqual(['Lisbon is ', 'by the sea.']);
  expect(await textsOf(agent)).toContain('Lisbon is by the sea.');
  const broken = new MockLanguageModelV4({ doStream: streamed(['Rome is '], false) });
  const failed = streamText({
    model: withMemory(broken, agent),
    prompt: 'Tell me about Rome.',
    onError: () => undefined,
  });
  await failed.consumeStream();
  expect((await textsOf(agent)).join()).not.toContain('Rome');
});

test('a model remembers and recalls with tools; a loop of calls is remembered once', async () => {
  const agent = mneme.agent('tools');
  const model = new MockLanguageModelV4({
    doGenerate: [
      calls('remember', { content: 'Carla moved to Lisbon in May 2026. \ud83d' }),
      calls('recall', { query: 'Where does Carla live?' }, 'Let me look that up.'),
      calls('recall', { query: 'quantum chromodynamics' }),
      says('She lives in Lisbon.'),
    ],
  });
  const { text, steps } = await generateText({
    model: withMemory(model, agent, { recall: false, documentId: 'chat' }),
    tools: memoryTools(agent),
    stopWhen: isStepCount(5),
    prompt: 'Remember where Carla lives, and say it.',
  });
  const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
  expect(outputs).toEqual([
    'Stored.',
    expect.stringContaining('Carla moved to Lisbon'),
    'Nothing is stored about this.',
  ]);
  expect(text).toBe('She lives in Lisbon.');
  expect((await agent.documents.get('chat')).original_text).toBe(
    'Remember where Carla lives, and say it.\nShe lives in Lisbon.',
  );
});

test('a bad call of a tool is told to the model', async () => {
  const agent = mneme.agent('bad-calls');
  const model = new MockLanguageModelV4({
    doGenerate: [calls('remember', { content: ' ' }), calls('recall', { question: 'x' }), says('Sorry.')],
  });
  const { steps } = await generateText({ model, tools: memoryTools(agent), stopWhen: isStepCount(5), prompt: 'Go.' });
  const errors = steps.flatMap(({ content }) => content.filter(({ type }) => type === 'tool-error'));
  expect(errors.map((error) => String('error' in error && error.error))).toEqual([
    expect.stringContaining('content must be a text that is not empty'),
    expect.stringContaining('query must be a text that is not empty'),
  ]);
  expect(await textsOf(agent)).toEqual([]);
});

test('when the memory fails the call fails, or the answer comes all the same and the error is reported', async () => {
  const agent = new Mneme({ baseUrl: system.http.url, apiKey: 'sk-wrong' }).agent('a');
  const model = new MockLanguageModelV4({ doGenerate: says('Hello.') });
  await expect(generateText({ model: withMemory(model, agent), prompt: 'Hi.', maxRetries: 0 })).rejects.toThrow(
    /UNAUTHENTICATED/,
  );
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const { text } = await generateText({ model: withMemory(model, agent, { onError }), prompt: 'Hi.' });
  expect([text, errors.length]).toEqual(['Hello.', 2]);
  expect(errors).toMatchObject([{ status: 401 }, { status: 401 }]);
});
