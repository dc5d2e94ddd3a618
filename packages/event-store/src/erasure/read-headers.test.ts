import { type Stack, startTestStack } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLossyProxy } from '../testing/lossy-proxy.ts';
import { context, countedTo, openTestLog } from '../testing/test-log.ts';
import { readHeaders } from './read-headers.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
});
afterAll(() => stack.stop());

it('fails when messages are lost with the connection, instead of leaving them out', async () => {
  await using proxy = await startLossyProxy(stack.natsUrl);
  await using log = await openTestLog(stack, proxy.url);
  await log.store.append(`${log.stream}.a`, countedTo(100), 0, context);
  const read = () => readHeaders(log.connection, log.stream, `${log.stream}.>`, ({ sequence }) => sequence);
  // What a consumer hands out has a subject to be acknowledged on.
  proxy.loseNextReply({ containing: '$JS.ACK' });
  await expect(read()).rejects.toMatchObject({ name: 'EventLogUnavailableError' });
  expect(proxy.lost()).toBe(1);
  expect(await read()).toHaveLength(100);
});
