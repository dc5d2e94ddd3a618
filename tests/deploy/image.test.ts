import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, startTestStack } from '@mneme/local-stack';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { eventually } from '../system/eventually.ts';
import { createHttpClient } from '../system/http-client.ts';
import { startMs } from '../system/node-process.ts';
import { jwtSecret, secretsKey, tokenOf } from '../system/tokens.ts';
import { type ImageTree, makeImageTrees } from './image-tree.ts';

const root = join(import.meta.dirname, '../..');
const composed = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, { command?: readonly string[] }>;
};
const services = ['gateway', 'memory-ingest', 'memory-query', 'keys', 'webhook'];

let folder: string;
let production: ImageTree;
let standalone: ImageTree;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-test-'));
  ({ production, standalone } = makeImageTrees(['production', 'standalone'], folder));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command with the files and the settings of an image only, as a user that may write none of them. */
function startIn(image: ImageTree, command: readonly string[], settings: Readonly<Record<string, string>>) {
  const [program = '', ...parameters] = command;
  const path = `${join(image.folder, 'usr/local/bin')}:/usr/bin:/bin`;
  const other = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};
  const child = spawn(join(image.folder, 'usr/local/bin', program), parameters, {
    cwd: join(image.folder, 'app'),
    env: { ...image.environment, PATH: path, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...other,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const ended = exited.then((code) => {
    throw new Error(`${command.join(' ')} ended with ${code} and had printed:\n${output}`);
  });
  ended.catch(() => undefined);
  return {
    output: () => output,
    exited,
    /** Waits for something, as long as it runs. */
    until: <T>(what: string, condition: () => Promise<T | undefined | false> | T | undefined | false) =>
      Promise.race([eventually(what, condition, startMs), ended]),
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

test('the image names a user by number, a process that passes signals on, and a command that exists', () => {
  for (const image of [production, standalone]) {
    expect(image).toMatchObject({ user: '1000:1000', entryPoint: ['tini', '--'] });
    expect(readFileSync(join(image.folder, 'app', image.command[1] ?? ''), 'utf8')).not.toBe('');
  }
  for (const name of services)
    expect(composed.services[name]?.command).toEqual(['node', `services/${name}/src/main.ts`]);
});

test('the gateway alone asks for credentials, and says what it lacks to verify them', async () => {
  const gateway = startIn(production, production.command, { NATS_URL: 'nats://127.0.0.1:1' });
  expect(await gateway.exited).toBe(1);
  expect(gateway.output()).toContain('JWT_SECRET or JWT_JWKS_URL');
});

describe('with the files of the image, as another user, on a tree that cannot be written', () => {
  test('every service starts, works and ends', async () => {
    const stack = await startTestStack({ servers: ['nats', 'mongod', 'qdrant'] });
    onTestFinished(() => stack.stop());
    const secrets = { JWT_SECRET: jwtSecret, SECRETS_KEY: secretsKey };
    const started = await Promise.all(
      services.map(async (name) => {
        const port = await findFreePort();
        const ports = { HOST: '127.0.0.1', PORT: String(port), HEALTH_PORT: String(port) };
        const command = composed.services[name]?.command ?? [];
        return { name, port, process: startIn(production, command, { ...stack.settings, ...secrets, ...ports }) };
      }),
    );
    const [gateway] = started;
    const http = createHttpClient(`http://127.0.0.1:${gateway?.port}`);
    const isReady = async () => (await http.get('/readyz')).status === 200;
    await Promise.all(started.map(({ name, process }) => process.until(`${name} is ready`, isReady)));
    const checked = (address: string) =>
      startIn(production, ['node', 'deploy/image/healthcheck.mjs', address], {}).exited;
    expect([await checked(`${http.url}/healthz`), await checked(`${http.url}/nothing`)]).toEqual([0, 1]);
    await storeAndFind(http.as(tokenOf(1)));
    const codes = await Promise.all(started.map(({ process }) => process.stop()));
    expect(codes).toEqual(services.map(() => 0));
  });

  test('the image for a trial starts with its own servers and without a secret', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'mneme-test-'));
    if (process.getuid?.() === 0) chownSync(dataDir, 1000, 1000);
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const settings = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' };
    const trial = startIn(standalone, standalone.command, settings);
    const [url = ''] = await trial.until(
      'it has started',
      () => /http:\S+(?=\n[\s\S]*Ctrl-C)/.exec(trial.output()) ?? undefined,
    );
    const token = /eyJ\S+/.exec(trial.output())?.[0] ?? '';
    const http = createHttpClient(url);
    expect((await http.get('/api/list?agent_id=demo')).status).toBe(401);
    await storeAndFind(http.as(token));
    expect(await trial.stop()).toBe(0);
  });
});

async function storeAndFind(http: ReturnType<typeof createHttpClient>): Promise<void> {
  const items = [{ content: 'Alice moved to Lisbon.' }];
  expect((await http.post('/api/memories/batch', { agent_id: 'demo', items })).status).toBe(200);
  const { body } = await http.post('/api/search', { agent_id: 'demo', query: 'Where does Alice live?' });
  expect(body.results[0].text).toContain('Lisbon');
}
