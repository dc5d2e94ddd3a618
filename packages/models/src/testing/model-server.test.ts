import { describe, expect, test } from 'vitest';
import { startModelServer } from './index.ts';
import { useModelServer } from './use-model-server.ts';

const server = useModelServer({ dimensions: 16 });

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function chat(body: object) {
  const { text } = await post('/chat/completions', {
    model: 'any',
    messages: [{ role: 'user', content: 'hello' }],
    ...body,
  });
  return JSON.parse(text);
}

async function embed(body: object): Promise<{ embedding: number[] | string; index: number }[]> {
  return JSON.parse((await post('/embeddings', { model: 'any', ...body })).text).data;
}

describe('clients that know nothing of Mneme', () => {
  test('get a plain answer', async () => {
    expect(await chat({})).toMatchObject({
      object: 'chat.completion',
      model: 'any',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'OK' } }],
      usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
    });
  });

  test('get JSON when they ask for it', async () => {
    const { choices } = await chat({ response_format: { type: 'json_object' } });
    expect(choices[0].message.content).toBe('{}');
  });

  test('get what was written for them, the newest first, once or always', async () => {
    server.replies.always(/hello/, 'first');
    server.replies.always('other', ({ prompt }) => ({ json: { prompt } }));
    server.replies.next('*', 'once');
    const answers = [await chat({}), await chat({})].map(({ choices }) => choices[0].message.content);
    expect(answers).toEqual(['once', '{"prompt":"hello"}']);
  });
});

describe('embeddings', () => {
  test('the same text gets the same vector, and texts that share words are nearer', async () => {
    const [a, b, c] = (
      await embed({ input: ['Anna sings a song', 'Anna sings', 'rain tomorrow'], dimensions: 256 })
    ).map(({ embedding }) => embedding as number[]);
    const dot = (left: number[] = [], right: number[] = []) =>
      left.reduce((sum, value, i) => sum + value * (right[i] ?? 0), 0);
    expect(dot(a, a)).toBeCloseTo(1, 5);
    expect(dot(a, b)).toBeGreaterThan(dot(a, c) + 0.3);
    expect((await embed({ input: 'Anna sings', dimensions: 256 }))[0]?.embedding).toEqual(b);
  });

  test('numbers and base64 are the same', async () => {
    const [plain] = await embed({ input: 'Anna', encoding_format: 'float' });
    const [packed] = await embed({ input: 'Anna', encoding_format: 'base64' });
    const bytes = Buffer.from(String(packed?.embedding), 'base64');
    expect([...new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)]).toEqual(plain?.embedding);
  });

  test.each([
    ['a text', 'a', 1],
    ['texts', ['a', 'b'], 2],
    ['tokens', [1, 2, 3], 1],
    ['lists of tokens', [[1, 2], [3]], 2],
    ['no text', '', 1],
  ])('%s', async (_, input, count) => {
    const list = await embed({ input });
    expect(list.map(({ index, embedding }) => [index, embedding.length])).toEqual(
      Array.from({ length: count }, (_, i) => [i, 16]),
    );
  });
});

test('it counts by task, and keeps what it was asked', async () => {
  await chat({});
  await embed({ input: 'a' });
  expect([server.calls(), server.calls('other'), server.calls('embed'), server.calls('think')]).toEqual([2, 1, 1, 0]);
  expect(server.requests.map(({ path, prompt }) => [path, prompt])).toEqual([
    ['/v1/chat/completions', 'hello'],
    ['/v1/embeddings', 'a'],
  ]);
});

test('a fault has its status, and the header it was given', async () => {
  server.replies.next(
    '*',
    { fault: 'rate-limit', retryAfter: '7' },
    { fault: 'server-error', status: 503, message: 'busy' },
  );
  const limited = await post('/chat/completions', { messages: [] });
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
  const busy = await post('/embeddings', { input: 'a' });
  expect([busy.status, JSON.parse(busy.text).error.message]).toEqual([503, 'busy']);
});

test('only the right key is let in, when there is one', async () => {
  const own = await startModelServer({ apiKey: 'right' });
  const status = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${own.url}/embeddings`, { method: 'POST', body: '{"input":"a"}', headers })).status;
  };
  expect([await status('right'), await status('wrong')]).toEqual([200, 401]);
  await own.stop();
});

test('it stops while a request hangs', async () => {
  const own = await startModelServer();
  own.replies.always('*', { fault: 'stall' });
  const hanging = fetch(`${own.url}/embeddings`, { method: 'POST', body: '{"input":"a"}' });
  await expect.poll(() => own.calls()).toBe(1);
  await Promise.all([own.stop(), expect(hanging).rejects.toThrow()]);
  await own.stop();
});
