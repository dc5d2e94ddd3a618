import { Mneme } from '@mneme/client';
import { expect, it } from 'vitest';
import { answerMcp, type McpAnswer } from './http.ts';

/** Its server never replies. */
const agent = new Mneme({
  fetch: (_address, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    }),
}).agent('a');
const headers = new Map([
  ['accept', 'application/json, text/event-stream'],
  ['content-type', 'application/json'],
]);
interface Answered {
  readonly error?: { readonly code: number; readonly message: string };
}

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };

function answer(message: unknown, timeoutMs = 3_000): Promise<McpAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const fail = (error: unknown) => expect.unreachable(String(error));
  return answerMcp({ agent, isAdmin: false, mayWrite: true, onError: fail, headers, message, signal });
}

it.each([
  ['after it', [list, cancel]],
  ['before it', [cancel, list]],
])('a request is answered that the same message cancels %s', async (_name, message) => {
  const { status, body } = await answer(message);
  expect([status, JSON.parse(body)]).toMatchObject([200, { id: 1, result: { tools: expect.any(Array) } }]);
});

it.each([
  ['alone', cancel],
  ['in a batch', [cancel]],
])('a cancellation %s is accepted', async (_name, message) => {
  expect(await answer(message)).toMatchObject({ status: 202, body: '' });
});

it.each([
  ['initialize', undefined, 'params: is required'],
  ['tools/call', {}, 'params.name: is required'],
  ['tools/call', { name: 'recall', arguments: 'x' }, 'params.arguments: '],
  ['tools/call', { name: 'none' }, 'There is no tool none'],
  ['tools/list', { cursor: 'zz' }, 'The cursor'],
  ['resources/list', { cursor: 'zz' }, 'The cursor'],
  ['resources/templates/list', { cursor: 'zz' }, 'The cursor'],
  ['prompts/list', { cursor: 'zz' }, 'The cursor'],
  ['resources/read', { uri: 'mneme://documents/%2E' }, 'must not be'],
])('a mistake of the caller is named as one: %s %j', async (method, params, message) => {
  const { body } = await answer({ jsonrpc: '2.0', id: 1, method, params });
  const { error }: Answered = JSON.parse(body);
  expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining(message) });
  expect(error?.message.length).toBeLessThan(200);
});

it('a mistake in a message does not keep its other requests from being answered', async () => {
  const { body } = await answer([{ jsonrpc: '2.0', id: 2, method: 'tools/call' }, list]);
  expect(JSON.parse(body)).toMatchObject([
    { id: 2, error: { code: -32_602 } },
    { id: 1, result: {} },
  ]);
});

it('ends with its signal when a tool does not', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_memories' } };
  await expect(answer(call, 50)).rejects.toThrow('timeout');
});
