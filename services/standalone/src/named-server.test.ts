import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WireError } from '@mneme/contracts';
import type { Server, Stack } from '@mneme/local-stack';
import { natsFullMessage } from '@mneme/service-kit';
import { expect, it, onTestFinished } from 'vitest';
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

it('NATS that may store no more is named with its limit and what to do, also when a service says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'nats-server.conf'), 'jetstream {\n  max_file_store: 1610612736\n}\n');
  const refused = Object.assign(named('JetStreamApiError', 'insufficient resources'), { code: 10_023 });
  const told = new WireError({ status: 503, code: 'UNAVAILABLE', message: natsFullMessage });
  for (const error of [refused, told]) {
    const start = namingServers({ ...servers, nats: serverIn(folder) }, () => Promise.reject(error));
    await expect(start).rejects.toThrow(
      /^NATS may store no more than 1536 MiB(\. Make| \(insufficient).*NATS_MAX_FILE_STORE.*docs\/operating\/storage-nearly-full\.md\.$/,
    );
    const elsewhere = namingServers({ ...servers, nats: serverIn(undefined) }, () => Promise.reject(error));
    await expect(elsewhere).rejects.toThrow(/^NATS may store no more(\.| \().*NATS_MAX_FILE_STORE/);
  }
});

it('other errors stay as they are', async () => {
  const error = new TypeError('x is not a function');
  await expect(failing(error)).rejects.toBe(error);
  expect(await namingServers(servers, async () => 'started')).toBe('started');
});
