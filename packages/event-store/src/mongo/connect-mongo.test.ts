import { startTestStack } from '@mneme/local-stack';
import { expect, it, onTestFinished } from 'vitest';
import { connectMongo } from './connect-mongo.ts';

/** Longer than one attempt to connect takes. */
const lateMs = 11_000;

it('a service that starts before MongoDB waits for it', async () => {
  const stack = await startTestStack({ servers: ['mongod'] });
  onTestFinished(() => stack.stop());
  const url = stack.mongodbUrl;
  await stack.servers.mongod.stop();
  const begin = performance.now();
  const connecting = connectMongo(url);
  const started = new Promise((resolve) => setTimeout(resolve, lateMs)).then(() => stack.servers.mongod.start());
  const client = await connecting;
  onTestFinished(() => client.close());
  await started;
  expect(performance.now() - begin).toBeGreaterThan(lateMs);
  expect((await client.db().command({ ping: 1 })).ok).toBe(1);
});
