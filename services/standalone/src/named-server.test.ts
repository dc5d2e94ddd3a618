import type { Server, Stack } from '@mneme/local-stack';
import { expect, it } from 'vitest';
import { namingServers } from './named-server.ts';

const serverIn = (folder: string | undefined) => ({ folder }) as Server;
const servers: Stack['servers'] = {
  nats: serverIn('/data/nats'),
  mongod: serverIn('/data/mongod'),
  qdrant: serverIn(undefined),
};
const named = (name: string, message: string) => Object.assign(new Error(message), { name });
const failing = (error: Error) => namingServers(servers, () => Promise.reject(error));

it('a server that refuses something is named with its folder, if it runs here', async () => {
  const full = named('MongoServerError', 'available disk space of 1 is less than required minimum of 524288000');
  await expect(failing(full)).rejects.toMatchObject({
    message: `mongod in /data/mongod: ${full.message}`,
    cause: full,
  });
  await expect(failing(named('JetStreamApiError', 'no'))).rejects.toThrow(/^nats in \/data\/nats: no$/);
  await expect(failing(named('QdrantClientTimeoutError', 'late'))).rejects.toThrow(/^qdrant: late$/);
});

it('other errors stay as they are', async () => {
  const error = new TypeError('x is not a function');
  await expect(failing(error)).rejects.toBe(error);
  expect(await namingServers(servers, async () => 'started')).toBe('started');
});
