import { type Stack, startTestStack } from '@mneme/local-stack';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkMongo, connectMongo } from './connect-mongo.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startTestStack({ servers: ['mongod'] });
});
afterAll(() => stack?.stop());

it.each(['4.4.29', '7.0.14', '', 'unknown'])('a server of version "%s" is refused, with what to do', (version) => {
  expect(() => checkMongo({ version, setName: 'rs0' })).toThrow(/needs MongoDB 8 or newer; .*MONGODB_URL/);
});

it.each(['8.0.0', '8.2.1-rc0', '10.0.0'])('a replica set of version %s will do', (version) => {
  expect(() => checkMongo({ version, setName: 'rs0' })).not.toThrow();
});

it('the router of a sharded cluster will do', () => {
  expect(() => checkMongo({ version: '8.0.0', msg: 'isdbgrid' })).not.toThrow();
});

it('a replica set that is still being made will do', () => {
  expect(() => checkMongo({ version: '8.0.0', isInitiating: true })).not.toThrow();
});

it('a server that stands alone is refused, with what to do', () => {
  expect(() => checkMongo({ version: '8.0.0' })).toThrow(/rs\.initiate/);
});

it('the server that comes with Mneme is connected to', async () => {
  const client = await connectMongo(stack.mongodbUrl);
  expect((await client.db().command({ ping: 1 })).ok).toBe(1);
  await client.close();
});
