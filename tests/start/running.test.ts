import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MeReply } from '@mneme/contracts';
import { readAddress } from '@mneme/local-stack';
import { BUCKETS_BYTES } from '@mneme/local-stack/testing';
import { natsAddress } from '@mneme/service-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { runMneme } from '../system/mneme-command.ts';
import { processesIn } from '../system/processes-in.ts';
import { newDataDir, type StartedCommand, startCommand } from '../system/start-command.ts';
import { jwtSecret, tokenOf } from '../system/tokens.ts';

const endsWithinMs = 20_000;
const items = [{ content: 'Alice moved to Lisbon.' }];
const firstMe = {
  user_id: 1,
  spaces: [{ id: 1, name: 'Personal', type: 'personal', projects: [{ id: 1, name: 'Default' }] }],
};

const closing = new AsyncDisposableStack();
const until = (end: () => Promise<void>) => closing.defer(end);
afterAll(() => closing.disposeAsync());

let dataDir: string;
let command: StartedCommand;
let http: HttpClient;
/** Started beside it, with a secret that is given, where credentials are required. */
let guarded: { readonly dataDir: string; readonly command: StartedCommand; readonly http: HttpClient };
/** The first request, sent as soon as the address was printed, and when it was answered after the start. */
let firstStatus: number;
let firstMs: number;

beforeAll(async () => {
  dataDir = await newDataDir(until);
  const starting = performance.now();
  command = startCommand(dataDir, { environment: { LOG_LEVEL: 'debug' }, until });
  const environment = { MEMORY_AUTH: 'required', JWT_SECRET: jwtSecret };
  const second = await newDataDir(until);
  const beside = startCommand(second, { environment, until });
  http = await command.ready();
  firstStatus = (await http.post('/api/memories/batch', { agent_id: 'a', items })).status;
  firstMs = performance.now() - starting;
  guarded = { dataDir: second, command: beside, http: await beside.ready() };
});

test('the first request is answered when the address is printed', async () => {
  expect(firstStatus).toBe(200);
  const found = await http.post('/api/search', { agent_id: 'a', query: 'Where does Alice live?' });
  expect(found.body.results[0].text).toBe('Alice moved to Lisbon.');
});

test('what it prints says which models are in use, and has a request to copy', async () => {
  await command.printed(/Ctrl-C/);
  expect(command.output()).toMatch(/models:? /i);
  expect(command.output()).toContain(`curl -s ${http.url}/api/memories/batch`);
  expect(command.errors()).toBe('');
});

test('it prints a token of user 1, who has a space and a project', async () => {
  const me = await http.as(await command.token()).get<MeReply>('/api/v3/me');
  expect(me).toMatchObject({ status: 200, body: firstMe });
});

test('`mneme token` makes a token for any user, and the old name of a command still works', async () => {
  const run = (...parameters: string[]) => runMneme({ DATA_DIR: dataDir }, ...parameters);
  const made = await run('token', '--user', '42', '--days', '2');
  expect(made.code).toBe(0);
  const { status, body } = await http.as(made.output.trim()).get<MeReply>('/api/v3/me');
  expect([status, body.user_id]).toEqual([200, 42]);
  expect(await run('parked')).toEqual({ code: 0, output: 'There are no dead letters.\n' });
});

test('a sign-in names the address where it listens', async () => {
  const link = await runMneme({ DATA_DIR: dataDir, MNEME_URL: '' }, 'sign-in', '--user', '1');
  expect(link.output).toMatch(/^\S+#code=[\w-]{43}\n$/);
  expect(new URL(link.output).origin).toBe(new URL(http.url).origin);
});

test('no one gets into its servers without the credentials of its data folder', async () => {
  const address = (server: string) => new RegExp(`${server}: ready at (\\S+)`).exec(command.output())?.[1] ?? '';
  await expect(connect({ servers: address('nats'), reconnect: false })).rejects.toThrow(/authorization/i);
  const mongo = new MongoClient(address('mongod'));
  await expect(mongo.db('mneme_memory').collections()).rejects.toThrow(/requires authentication/);
  await mongo.close();
  const page = { headers: { origin: 'http://attacker.example' } };
  for (const path of ['/collections', '/telemetry', '/metrics', '/dashboard/']) {
    const reply = await fetch(`${address('qdrant')}${path}`, page);
    expect([path, reply.headers.get('access-control-allow-origin')]).toEqual([path, null]);
    expect([401, 403, 404]).toContain(reply.status);
  }
});

test('its buckets reserve no more than NATS may store on any disk', async () => {
  const connection = await connect(natsAddress(readAddress(dataDir, 'nats-url') ?? ''));
  // `handler-attempts` is made with the first failure.
  let reserved = 16 * 1024 ** 2;
  const { streams } = await jetstreamManager(connection);
  for await (const { config } of streams.list()) reserved += Math.max(0, config.max_bytes);
  await connection.close();
  expect(reserved).toBeGreaterThan(BUCKETS_BYTES / 2);
  expect(reserved).toBeLessThanOrEqual(BUCKETS_BYTES);
});

test('nothing of it is readable by others, and no credential is printed or logged', async () => {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = [dataDir, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
  const modes = await Promise.all(paths.map(modeOf));
  expect(paths.filter((_path, index) => ((modes[index] ?? 0) & 0o077) !== 0)).toEqual([]);
  const logs = await Promise.all((await readdir(join(dataDir, 'logs'))).map((name) => read(dataDir, 'logs', name)));
  for (const name of ['nats-password', 'mongod-password', 'qdrant-api-key', 'jwt-secret', 'secrets-key']) {
    const secret = (await read(dataDir, name)).trim();
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(`${command.output()}${logs.join('')}`).not.toContain(secret);
  }
});

/** Servers remove files of theirs at any time. */
function modeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mode }) => mode,
    () => 0,
  );
}

function read(...path: string[]): Promise<string> {
  return readFile(join(...path), 'utf8');
}

test('another start in its data folder is refused, and it goes on', async () => {
  const second = startCommand(dataDir);
  expect((await second.exited).code).toBeGreaterThan(0);
  expect(second.errors().trim().split('\n')).toHaveLength(1);
  expect(second.errors()).toContain(dataDir);
  expect(second.errors()).toContain('in use');
  expect((await http.get('/api/list?agent_id=a')).body.total).toBe(1);
});

test('another start on its PORT is one clear sentence, and leaves nothing running', async () => {
  const PORT = new URL(http.url).port;
  const folder = await newDataDir();
  const second = startCommand(folder, { environment: { PORT } });
  expect((await second.exited).code).toBeGreaterThan(0);
  expect(second.errors().trim()).toMatch(new RegExp(`^[^\\n]*:${PORT} is in use[^\\n]*$`));
  expect(await readdir(folder), 'no server was started').not.toContain('nats');
  expect(await processesIn(folder)).toEqual([]);
});

test('two with different folders run side by side and know nothing of each other', async () => {
  expect(guarded.http.url).not.toBe(http.url);
  const there = guarded.http.as(await guarded.command.token());
  expect(await there.get('/api/list')).toMatchObject({ status: 200, body: { total: 0 } });
  expect((await guarded.http.as(await command.token()).get('/api/v3/me')).status).toBe(401);
});

test('with MEMORY_AUTH=required it asks for a credential, which its token is', async () => {
  expect((await guarded.http.get('/api/list')).status).toBe(401);
  expect((await guarded.http.as(await guarded.command.token()).get('/api/list')).status).toBe(200);
});

test('JWT_SECRET is used instead of a secret of its own', async () => {
  for (const each of [tokenOf(1), await guarded.command.token()]) {
    expect((await guarded.http.as(each).get('/api/v3/me')).body).toEqual(firstMe);
  }
  expect(guarded.command.output()).not.toContain(jwtSecret);
});

test('a server that dies is brought back, and requests are answered again', async () => {
  const user = guarded.http.as(tokenOf(1));
  await user.post('/api/memories/batch', { agent_id: 'a', items });
  for (const server of ['nats', 'mongod', 'qdrant']) {
    for (const pid of await processesIn(`${guarded.dataDir}/${server}`)) process.kill(pid, 'SIGKILL');
    await eventually(`a batch is stored after ${server} was killed`, async () => {
      return (await user.post('/api/memories/batch', { agent_id: server, items })).status === 200;
    });
  }
  expect((await user.get('/api/list?agent_id=a')).body.total).toBe(1);
});

test('SIGINT ends it and its servers within 20 s; started again, everything is there, and tokens and keys hold', async () => {
  const credential = await command.token();
  const { body } = await http.as(credential).post('/api/v3/api-keys', { name: 'Mine', project_id: 1 });
  expect((await http.get('/readyz')).status).toBe(200);
  expect((await processesIn(dataDir)).length).toBeGreaterThanOrEqual(3);
  const ending = performance.now();
  expect((await command.kill('SIGINT')).code).toBe(0);
  expect(performance.now() - ending).toBeLessThan(endsWithinMs);
  expect(await processesIn(dataDir)).toEqual([]);

  const starting = performance.now();
  const second = startCommand(dataDir);
  const again = await second.ready();
  expect((await again.get('/api/list?agent_id=a')).body.total).toBe(1);
  expect(performance.now() - starting).toBeLessThan(3 * firstMs + 5_000);
  const found = await again.post('/api/search', { agent_id: 'a', query: 'Where does Alice live?' });
  expect(found.body.results[0].text).toBe('Alice moved to Lisbon.');
  for (const each of [credential, await second.token()]) {
    expect((await again.as(each).get('/api/v3/me')).body).toEqual(firstMe);
  }
  expect((await again.as(body.key).get('/api/list')).status).toBe(200);
  expect(command.output() + second.output()).not.toContain(body.key);
});
