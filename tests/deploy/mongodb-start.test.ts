import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongodArguments } from '@mneme/local-stack/testing';
import { expect, it, onTestFinished } from 'vitest';

const script = join(import.meta.dirname, '../../deploy/mongodb/start.sh');

/** Runs the script with commands of its own in place of the system's. @param address what the name of the pod leads to */
function startWith(address: string, settings: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-test-'));
  const command = (name: string, body: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  const leadTo = (next: string) => writeFileSync(join(folder, 'address'), next);
  leadTo(address);
  command('hostname', 'echo "10.0.0.7 fd00::7 "');
  command(
    'getent',
    `touch ${folder}/asked; test "$2" = mongodb-1.mongodb && echo "$(cat ${folder}/address) STREAM $2"`,
  );
  command('mongod', `echo "$@" >${folder}/arguments; echo started`);
  const env = { PATH: `${folder}:/usr/bin:/bin`, TMPDIR: folder, MONGODB_KEY: 'key', ...settings };
  const child = spawn('/bin/sh', [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.once('close', resolve);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  });
  return {
    output: () => output,
    arguments: () => readFileSync(join(folder, 'arguments'), 'utf8'),
    leadTo,
    ended,
    kill: () => child.kill('SIGTERM'),
    untilAsked: () => expect.poll(() => existsSync(join(folder, 'asked')), { timeout: 10_000 }).toBe(true),
  };
}

const pod = { POD_NAME: 'mongodb-1', MONGODB_MEMBERS: 'mongodb-0.mongodb:27017,mongodb-1.mongodb:27017' };

it.each(['10.0.0.7', 'fd00::7'])('mongod starts once the name of its pod leads to it (%s)', async (own) => {
  const start = startWith('10.0.0.70', pod);
  await start.untilAsked();
  expect(start.output()).toBe('');
  start.leadTo(own);
  await start.ended;
  expect(start.output()).toBe('started\n');
});

it('mongod does not start when it is told to end while it waits', async () => {
  const start = startWith('10.0.0.70', pod);
  await start.untilAsked();
  start.kill();
  expect(await start.ended).toBe(143);
  expect(start.output()).toBe('');
});

it('mongod waits for nothing where there are no pods', async () => {
  const start = startWith('10.0.0.70', { MONGODB_MEMBERS: 'mongodb:27017' });
  await start.ended;
  expect(start.output()).toBe('started\n');
});

it('mongod writes changed pages as late as at a local start', async () => {
  const start = startWith('10.0.0.70', { MONGODB_MEMBERS: 'mongodb:27017' });
  await start.ended;
  const local = mongodArguments(0);
  const option = local.indexOf('--wiredTigerEngineConfigString');
  expect(start.arguments()).toContain(local.slice(option, option + 2).join(' '));
});
