import { setTimeout as pause } from 'node:timers/promises';
import { startTestStack } from '@mneme/local-stack/testing';
import { expect, it, onTestFinished } from 'vitest';
import { checkMongo, connectMongo } from './connect-mongo.ts';

/** Longer than one attempt to connect takes. */
const lateMs = 2_500;

it('a service that starts before MongoDB waits for it', async () => {
  const stack = await startTestStack({ servers: ['mongod'] });
  onTestFinished(() => stack.stop());
  const url = `${stack.mongodbUrl}&serverSelectionTimeoutMS=1000`;
  await stack.servers.mongod.stop();
  const begin = performance.now();
  const connecting = connectMongo(url);
  const started = pause(lateMs).then(() => stack.servers.mongod.start());
  const client = await connecting;
  onTestFinished(() => client.close());
  await started;
  expect(performance.now() - begin).toBeGreaterThan(lateMs);
  expect((await client.db().command({ ping: 1 })).ok).toBe(1);
});

it.each(['4.4.29', '7.0.14', '', 'unknown'])('a server of version "%s" is refused, with what to do', (version) => {
  expect(() => checkMongo({ version, setName: 'rs0' })).toThrow(/needs MongoDB 8 or newer; .*MONGODB_URL/);
});

it.each([
  ['a replica set', { version: '8.0.0', setName: 'rs0' }],
  ['one of a release candidate', { version: '8.2.1-rc0', setName: 'rs0' }],
  ['one of a later version', { version: '10.0.0', setName: 'rs0' }],
  ['the router of a sharded cluster', { version: '8.0.0', msg: 'isdbgrid' }],
  ['a replica set that is still being made', { version: '8.0.0', isInitiating: true }],
])('%s will do', (_what, found) => {
  expect(() => checkMongo(found)).not.toThrow();
});

it('a server that stands alone is refused, with what to do', () => {
  expect(() => checkMongo({ version: '8.0.0' })).toThrow(/rs\.initiate/);
});
