import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '@mneme/local-stack';
import { startTestStack } from '@mneme/local-stack/testing';
import { expect, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { eventually } from '../system/eventually.ts';
import { createHttpClient, type HttpClient } from '../system/http-client.ts';
import { startMs } from '../system/node-process.ts';
import { serviceNames } from '../system/service-process.ts';
import { jwtSecret, secretsKey, tokenOf } from '../system/tokens.ts';
import type { ImageTree } from './image-tree.ts';

const composed = parse(readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8'), {
  merge: true,
}) as {
  services: Record<string, { command?: readonly string[] }>;
};

/** The command of a service in `docker-compose.yml`. */
export function commandOf(service: string): readonly string[] {
  return composed.services[service]?.command ?? [];
}

/** Runs a command with the files and the settings of an image only, as a user that may write none of them. */
export function startIn(image: ImageTree, command: readonly string[], settings: Readonly<Record<string, string>>) {
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
    until: <T>(
      what: string,
      condition: () => Promise<T | undefined | false> | T | undefined | false,
      withinMs = startMs,
    ) => Promise.race([eventually(what, condition, withinMs), ended]),
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/**
 * Starts every service with the files of the production image, stores and finds a sentence, and stops them.
 * @param withinMs how long they may take until they are ready, in milliseconds
 */
export async function tryServices(image: ImageTree, withinMs = startMs): Promise<void> {
  const stack = await startTestStack({ servers: ['nats', 'mongod', 'qdrant'] });
  onTestFinished(() => stack.stop());
  const secrets = { JWT_SECRET: jwtSecret, SECRETS_KEY: secretsKey };
  const started = await Promise.all(
    serviceNames.map(async (name) => {
      const port = await findFreePort();
      const ports = { HOST: '127.0.0.1', PORT: String(port), HEALTH_PORT: String(port) };
      return { name, port, process: startIn(image, commandOf(name), { ...stack.settings, ...secrets, ...ports }) };
    }),
  );
  const gateway = started.find(({ name }) => name === 'gateway');
  const http = createHttpClient(`http://127.0.0.1:${gateway?.port}`);
  const isReady = async () => (await http.get('/readyz')).status === 200;
  await Promise.all(started.map(({ name, process }) => process.until(`${name} is ready`, isReady, withinMs)));
  const checked = (address: string) => startIn(image, ['node', 'deploy/image/healthcheck.mjs', address], {}).exited;
  expect([await checked(`${http.url}/healthz`), await checked(`${http.url}/nothing`)]).toEqual([0, 1]);
  await storeAndFind(http.as(tokenOf(1)));
  const codes = await Promise.all(started.map(({ process }) => process.stop()));
  expect(codes).toEqual(serviceNames.map(() => 0));
}

/** Stores a sentence and finds it. */
export async function storeAndFind(http: HttpClient): Promise<void> {
  const items = [{ content: 'Alice moved to Lisbon.' }];
  expect((await http.post('/api/memories/batch', { agent_id: 'demo', items })).status).toBe(200);
  const { body } = await http.post('/api/search', { agent_id: 'demo', query: 'Where does Alice live?' });
  expect(body.results[0].text).toContain('Lisbon');
}
