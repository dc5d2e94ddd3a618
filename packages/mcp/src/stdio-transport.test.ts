import { PassThrough } from 'node:stream';
import { Mneme } from '@mneme/client';
import { expect, it } from 'vitest';
import { createMcpServer } from './server.ts';
import { StdioTransport } from './stdio-transport.ts';

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
const pong = (id: number) => ({ jsonrpc: '2.0', id, result: {} });
const recall = (id: number) => {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'recall', arguments: { query: 'x' } } };
};
const cancel = (id: number) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
const refusal = (id: number | null, code: number) => ({ jsonrpc: '2.0', id, error: { code } });

/** The lines with which a server answers some lines and a last one. Its memory never replies. */
async function answersTo(...lines: readonly string[]): Promise<unknown[]> {
  const agent = new Mneme({ fetch: () => new Promise(() => undefined) }).agent('a');
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const server = createMcpServer({ agent, isAdmin: false, mayWrite: true, onError: () => undefined });
  await server.connect(new StdioTransport(input, output));
  let written = '';
  output.on('data', (text: string) => {
    written += text;
  });
  const text = Buffer.from([...lines, JSON.stringify(ping(99)), ''].join('\n'));
  for (let start = 0; start < text.length; start += 7) input.write(text.subarray(start, start + 7));
  await expect.poll(() => written).toContain('"id":99');
  await server.close();
  const read = written.trim().split('\n');
  return read.map((line) => JSON.parse(line)).filter(({ id }) => id !== 99);
}

it.each([
  ['a message', [ping(1)], [pong(1)]],
  ['a batch, in one line', [[ping(1), ping(2)]], [[pong(1), pong(2)]]],
  ['what is a message in a batch', [[1, ping(2)]], [[refusal(null, -32_600), pong(2)]]],
  ['a batch of nothing that is a message', [[1]], [[refusal(null, -32_600)]]],
  ['an empty batch', [[]], [refusal(null, -32_600)]],
  ['no message', [{ id: 7 }, 'x', null], [refusal(7, -32_600), refusal(null, -32_600), refusal(null, -32_600)]],
  ['no answer, even one without an id', [{ ...refusal(null, -32_600), error: { code: -32_600, message: 'no' } }], []],
  ['no notification that is not valid', [{ jsonrpc: '2.0', method: 'x', params: [] }, [{ method: 'x' }]], []],
  ['no batch of notifications', [[cancel(1)]], []],
  ['the rest of a batch of which a request is cancelled', [[recall(1), ping(2)], cancel(1)], [[pong(2)]]],
  ['no batch of which all is cancelled', [[recall(1), cancel(1)]], []],
  ['a mistake in a batch', [[ping(1), { ...recall(2), params: {} }]], [[refusal(2, -32_602), pong(1)]]],
])('answers %s', async (_, messages, answers) => {
  expect(await answersTo(...messages.map((message) => JSON.stringify(message)))).toMatchObject(answers);
});

it('answers a line that is not JSON, ignores a blank one, and goes on', async () => {
  const line = JSON.stringify({ ...recall(1), params: { name: 'caf\u00e9 \u2028' } });
  expect(await answersTo('{"jsonrpc', ' \r', `${line}\r`)).toMatchObject([
    refusal(null, -32_700),
    { id: 1, error: { message: expect.stringContaining('caf\u00e9 \u2028') } },
  ]);
});
