import { once } from 'node:events';
import { connect } from 'node:net';
import { waitUntil } from '@mneme/local-stack/testing';
import { expect, it } from 'vitest';
import { context, counted, useTestLog } from '../testing/test-log.ts';

const log = useTestLog();

/** Publishes a message with headers that the client would not write. */
async function publishRaw(subject: string, lines: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(log.stack.natsUrl);
  const socket = connect(Number(port), hostname);
  const headers = `NATS/1.0\r\n${lines.join('\r\n')}\r\n\r\n`;
  const publication = `HPUB ${subject} ${headers.length} ${headers.length + 2}\r\n${headers}{}\r\n`;
  socket.write(`CONNECT {"headers":true,"verbose":false}\r\n${publication}PING\r\n`);
  let received = '';
  while (!received.includes('PONG')) received += (await once(socket, 'data'))[0];
  socket.destroy();
}

it('a message with headers that nothing can read is dead-lettered, and readers go on', async () => {
  const subject = `${log.stream}.a`;
  await publishRaw(subject, ['bad key: 1', 'bad: a\nb', 'good: 2']);
  await log.store.append(`${log.stream}.b`, [counted(1)], 0, context);
  await expect(log.store.load(subject)).rejects.toMatchObject({ name: 'UnreadableEventError' });
  await expect(log.store.last(subject)).rejects.toMatchObject({ name: 'UnreadableEventError' });
  const seen: unknown[] = [];
  const handle = async ({ data }: { data: unknown }) => void seen.push(data);
  const handler = await log.run({ handle });
  await waitUntil(async () => (await handler.pending()) === 0);
  expect(seen).toEqual([{ n: 1 }]);
  expect(await log.deadLetters()).toMatchObject([{ subject, reason: 'it is no CloudEvent 1.0' }]);
});
