import { once } from 'node:events';
import { connect } from 'node:net';
import { type Stack, startTestStack, waitUntil } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deadLetters } from '../dead-letters/dead-letters.ts';
import { runHandler } from '../handlers/run-handler.ts';
import { context, counted, handlerOptions, openTestLog } from '../testing/test-log.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
});
afterAll(() => stack.stop());

/** Publishes a message with headers that the client would not write. */
async function publishRaw(subject: string, lines: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(stack.natsUrl);
  const socket = connect(Number(port), hostname);
  const headers = `NATS/1.0\r\n${lines.join('\r\n')}\r\n\r\n`;
  const publication = `HPUB ${subject} ${headers.length} ${headers.length + 2}\r\n${headers}{}\r\n`;
  socket.write(`CONNECT {"headers":true,"verbose":false}\r\n${publication}PING\r\n`);
  let received = '';
  while (!received.includes('PONG')) received += (await once(socket, 'data'))[0];
  socket.destroy();
}

it('a message with headers that nothing can read is dead-lettered, and readers go on', async () => {
  await using log = await openTestLog(stack);
  const subject = `${log.stream}.a`;
  await publishRaw(subject, ['bad key: 1', 'bad: a\nb', 'good: 2']);
  await log.store.append(`${log.stream}.b`, [counted(1)], 0, context);
  await expect(log.store.load(subject)).rejects.toMatchObject({ name: 'UnreadableEventError' });
  await expect(log.store.last(subject)).rejects.toMatchObject({ name: 'UnreadableEventError' });
  const seen: unknown[] = [];
  const handle = async ({ data }: { data: unknown }) => void seen.push(data);
  const handler = await runHandler({ ...handlerOptions(log), types: ['Counted'], handle });
  await waitUntil(async () => (await handler.pending()) === 0);
  await handler.stop();
  expect(seen).toEqual([{ n: 1 }]);
  expect(await deadLetters(log.connection).list()).toMatchObject([{ subject, reason: 'it is no CloudEvent 1.0' }]);
});
