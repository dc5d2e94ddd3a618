import { damageFile, type Stack, startTestStack } from '@mneme/local-stack/testing';
import { errors } from '@nats-io/nats-core';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEraser } from '../../erasure/eraser.ts';
import { changing } from '../../testing/slow-connections.ts';
import { ensureStream } from '../ensure-stream.ts';
import { openLog } from '../log.ts';
import { checkLog } from './check-log.ts';

const stream = 'CHECKED';
let stack: Stack;
let connection: NatsConnection;
beforeEach(async () => {
  stack = await startTestStack({ servers: ['nats'] });
  connection = await connect({ servers: stack.natsUrl, maxReconnectAttempts: -1 });
  await ensureStream(connection, { name: stream, subjects: ['checked.>'], replicas: 1 });
  for (let n = 1; n <= 40; n += 1) await connection.request(`checked.${n % 3}`, String(n).padEnd(400, '.'));
});
afterEach(async () => {
  await connection.close();
  await stack.stop();
});

const check = () => checkLog(openLog(connection, stream));

it('reads all messages of a stream, whichever were erased', async () => {
  expect(await check()).toEqual({ head: 40, read: 40, unreadable: [], members: [] });
  await openEraser(connection, stream).erase([1, 20, 21, 40]);
  expect(await check()).toEqual({ head: 40, read: 36, unreadable: [], members: [] });
});

it('names those that a damaged file does not give any more, and no erased ones', async () => {
  await openEraser(connection, stream).erase([31, 2, 30]);
  await damageFile(stack, stream);
  await expect.poll(check).toEqual({ head: 40, read: 36, unreadable: [14], members: [] });
});

it('waits for a list of the deleted ones that takes the server longer than other answers', async () => {
  const slow = changing(connection, {
    request: (subject, data, options) =>
      Buffer.from(data ?? '').includes('deleted_details') && (options?.timeout ?? 0) < 30_000
        ? Promise.reject(new errors.TimeoutError())
        : connection.request(subject, data, options),
  });
  await openEraser(connection, stream).erase([30, 31]);
  await damageFile(stack, stream);
  await expect
    .poll(() => checkLog(openLog(slow, stream)))
    .toEqual({ head: 40, read: 37, unreadable: [14], members: [] });
});

it('of a stream in which nothing is stored is empty', async () => {
  await ensureStream(connection, { name: 'EMPTY', subjects: ['empty.>'], replicas: 1 });
  expect(await checkLog(openLog(connection, 'EMPTY'))).toEqual({ head: 0, read: 0, unreadable: [], members: [] });
});
