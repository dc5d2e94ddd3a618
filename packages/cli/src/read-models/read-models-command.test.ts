import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keys } from '@mneme/contracts';
import { startKeys } from '@mneme/keys';
import { type Stack, startTestStack } from '@mneme/local-stack';
import { closeNats, connectNats, createClient, createLogger, createMetrics } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

const main = join(import.meta.dirname, '../main.ts');
const logger = createLogger({ service: 'test', level: 'silent' });
const metrics = createMetrics();

let stack: Stack;
let connection: NatsConnection;
let service: Awaited<ReturnType<typeof startKeys>>;
beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats', 'mongod'] });
  connection = await connectNats({ url: stack.natsUrl, name: 'test', logger });
  const config = { MONGODB_URL: stack.mongodbUrl, MONGODB_DATABASE: 'test', STREAM_REPLICAS: 1, ACCESS_POLICY: 'spec' };
  service = await startKeys(config as Parameters<typeof startKeys>[0], { connection, logger, metrics });
}, 120_000);
afterAll(async () => {
  await service.stop();
  await closeNats(connection);
  await stack.stop();
});

/** What a command says, and with which exit code it ends. */
async function mneme(...parameters: string[]): Promise<{ code: number; says: string }> {
  const options = { env: { ...process.env, NATS_URL: stack.natsUrl } };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...parameters], options);
    return { code: 0, says: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, says: stderr };
  }
}

const call = async (userId: number) => {
  const client = createClient({ connection });
  await client
    .request(keys.me, { userId }, { correlationId: 'test', deadlineMs: 20_000 })
    .finally(() => client.close());
};

it('read models are shown, with the services that do not answer', async () => {
  await call(1);
  const { code, says } = await mneme('read-models');
  expect(code).toBe(0);
  expect(says).toMatch(/^keys\taccess@1\tlive\t\d+\/\d+\t0\.0 s behind\t0 dead letters$/m);
  expect(says).toMatch(/^keys\tapi-keys-bucket@1\tlive/m);
  expect(says).toMatch(/^memory-query\tno answer\t/m);
});

it('a read model is rebuilt, rolled back and compared', async () => {
  expect((await mneme('rebuild', 'keys')).says).toContain('"version": 2');
  expect(await mneme('read-models', 'rollback', 'access')).toEqual({ code: 0, says: 'access@1 answers.\n' });
  expect((await mneme('read-models', 'verify', 'access')).says).toMatch(/^\d+ checked\n$/);
  const bucket = await mneme('read-models', 'rollback', 'api-keys-bucket');
  expect(bucket).toMatchObject({ code: 1, says: expect.stringContaining('made anew in place') });
  const unknown = await mneme('read-models', 'verify', 'nothing');
  expect(unknown).toMatchObject({
    code: 1,
    says: expect.stringMatching(/No service has a read model nothing\..*access/),
  });
}, 60_000);

it('what read models could not apply is shown, retried and discarded, by each of them', async () => {
  await connection.request('access.key.77', 'no event at all');
  const listed = async () => (await mneme('dead-letters')).says.trim().split('\n');
  const waiting = async () => (await listed()).map((line) => line.split('\t')[2]).sort();
  // Both versions of the rows, since the one that answered before is kept up to date.
  const all = ['access@1', 'access@2', 'api-keys-bucket@1', 'space-owners-bucket@1'];
  await expect.poll(waiting, { timeout: 20_000 }).toEqual(all);
  await expect
    .poll(() => metrics.text(), { timeout: 5_000 })
    .toMatch(/mneme_read_model_dead_letters\{read_model="access",version="1"\} 1/);
  for (const line of await listed()) {
    const [number = ''] = line.split('\t');
    expect(await mneme('dead-letters', 'retry', number)).toMatchObject({
      code: 1,
      says: expect.stringMatching(/It stays a dead letter\. .*cannot be read/),
    });
    expect((await mneme('dead-letters', 'discard', number)).code).toBe(0);
  }
  expect(await mneme('parked')).toEqual({ code: 0, says: 'There are no dead letters.\n' });
  expect((await mneme('read-models')).says).not.toMatch(/[1-9]\d* dead letters/);
  await call(2);
}, 120_000);

it('readiness names what is wrong with a read model', async () => {
  const { checks } = service;
  expect(await checks.access?.()).toBe(true);
  expect(await checks['api-keys-bucket']?.()).toBe(true);
  expect(await metrics.text()).toMatch(/mneme_read_model_position\{read_model="access",version="1",lane="0"\} \d+/);
  await expect
    .poll(() => metrics.text(), { timeout: 10_000 })
    .toMatch(/mneme_read_model_state\{read_model="access",version="1",state="live"\} 1/);
});
