import { findFreePort } from '@mneme/local-stack';
import { damageFile } from '@mneme/local-stack/testing';
import { connect } from '@nats-io/transport-node';
import { beforeAll, expect, test } from 'vitest';
import { createHttpClient } from '../system/http-client.ts';
import { mneme, runMneme } from '../system/mneme-command.ts';
import { newPerson } from '../system/person.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { jwtSecret } from '../system/tokens.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'each', services: ['keys', 'gateway'] });
  return system.stop;
});

async function ofKeys(path: '/metrics' | '/readyz'): Promise<string> {
  return (await fetch(`http://127.0.0.1:${system.service('keys').port}${path}`)).text();
}

test('a gateway serves its health on a port of its own where that is configured', async () => {
  const port = await findFreePort();
  const { http, process } = await system.addGateway({ HEALTH_PORT: String(port) });
  const own = createHttpClient(`http://127.0.0.1:${port}`);
  expect((await own.get('/healthz')).status).toBe(200);
  expect((await own.get('/readyz')).body).toMatchObject({ checks: { keys: 'ok' } });
  expect((await own.get('/metrics')).body).toContain('mneme_http_request_duration_seconds');
  expect((await own.get('/api/agents')).status).toBe(404);
  expect((await http.get('/readyz')).body).toMatchObject({ checks: { keys: 'ok' } });
  await process.end();
});

test('read models are listed, with the services that do not answer', async () => {
  await newPerson(system.http);
  const { code, output } = await mneme(system, 'read-models');
  expect(code).toBe(0);
  expect(output).toMatch(/^keys\taccess@1\tlive\t\d+\/\d+\t0\.0 s behind\t0 dead letters$/m);
  expect(output).toMatch(/^keys\tapi-keys-bucket@1\tlive/m);
  expect(output).toMatch(/^memory-query\tno answer\t/m);
});

test('a sign-in link has the usual address if the variables for it are empty', async () => {
  const environment = { NATS_URL: system.stack.natsUrl, JWT_SECRET: jwtSecret, MNEME_URL: '', PUBLIC_BASE_URL: '' };
  const { output } = await runMneme(environment, 'sign-in', '--user=1');
  expect(output).toMatch(/^http:\/\/127\.0\.0\.1:8080\/\S+#code=[\w-]{43}$/m);
  expect(output).toContain('give it with --url');
});

test('a read model is rebuilt, rolled back and verified', async () => {
  expect((await mneme(system, 'rebuild', 'keys')).output).toContain('"version": 2');
  expect(await mneme(system, 'read-models', 'rollback', 'access')).toEqual({ code: 0, output: 'access@1 answers.\n' });
  expect((await mneme(system, 'read-models', 'verify', 'access')).output).toMatch(/^\d+ checked\n$/);
  const bucket = await mneme(system, 'read-models', 'rollback', 'api-keys-bucket');
  expect(bucket).toMatchObject({ code: 1, output: expect.stringContaining('made anew in place') });
  const unknown = await mneme(system, 'read-models', 'verify', 'nothing');
  expect(unknown).toMatchObject({
    code: 1,
    output: expect.stringMatching(/No service has a read model nothing\..*access/),
  });
});

test('dead letters of read models are listed, retried and discarded, each by itself', async () => {
  const connection = await connect({ servers: system.stack.natsUrl });
  await connection.request('access.key.77', 'no event at all');
  await connection.close();
  const listed = async () => (await mneme(system, 'dead-letters')).output.trim().split('\n');
  // Both versions of the rows, since the one that answered before is kept up to date.
  const all = ['access@1', 'access@2', 'api-keys-bucket@1', 'space-owners-bucket@1'];
  const counted = async () => {
    const found = (await ofKeys('/metrics')).matchAll(
      /^mneme_read_model_dead_letters\{read_model="(.+)",version="(\d+)"\} 1$/gm,
    );
    return [...found].map(([, name, version]) => `${name}@${version}`).sort();
  };
  await expect.poll(counted, { timeout: 20_000 }).toEqual(all);
  const lines = (await listed()).map((line) => line.split('\t'));
  expect(lines.map(([, , reader]) => reader).sort()).toEqual(all);
  const sequences = lines.map(([sequence = '']) => sequence);
  expect(await mneme(system, 'dead-letters', 'retry', sequences[0] ?? '')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/stays a dead letter\. .*cannot be read/),
  });
  for (const sequence of sequences) expect((await mneme(system, 'dead-letters', 'discard', sequence)).code).toBe(0);
  expect(await mneme(system, 'dead-letters')).toEqual({ code: 0, output: 'There are no dead letters.\n' });
  expect((await mneme(system, 'read-models')).output).not.toMatch(/[1-9]\d* dead letters/);
  await newPerson(system.http);
});

test('readiness and metrics name each read model', async () => {
  const { checks } = JSON.parse(await ofKeys('/readyz'));
  expect(checks).toMatchObject({ access: 'ok', 'api-keys-bucket': 'ok' });
  expect(await ofKeys('/metrics')).toMatch(/mneme_read_model_position\{read_model="access",version="1",lane="0"\} \d+/);
  await expect
    .poll(() => ofKeys('/metrics'), { timeout: 10_000 })
    .toMatch(/mneme_read_model_state\{read_model="access",version="1",state="live"\} 1/);
});

test('a log with a damaged file is named, and nothing is rebuilt from it unless the loss is accepted', async () => {
  const checked = async () => (await mneme(system, 'check-log')).output;
  expect(await checked()).toMatch(/^ACCESS\t\d+ events up to \d+\tnone missing$/m);
  await damageFile(system.stack, 'ACCESS');
  const line = /^ACCESS\t\d+ events up to \d+\t1 cannot be read: \d+$/m;
  await expect.poll(checked, { timeout: 20_000 }).toMatch(line);
  const refused = await mneme(system, 'rebuild', 'keys');
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringContaining('1 of the events of ACCESS cannot be read'),
  });
  expect(await mneme(system, 'rebuild', 'keys', '--accept-loss')).toMatchObject({
    code: 0,
    output: expect.stringContaining('"unreadableEvents": 1'),
  });
});
