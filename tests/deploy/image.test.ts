import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atFullLength } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createHttpClient } from '../system/http-client.ts';
import { serviceNames } from '../system/service-process.ts';
import { commandOf, startIn, storeAndFind, tryServices } from './image-process.ts';
import { type ImageTree, makeImageTrees } from './image-tree.ts';

let folder: string;
let production: ImageTree;
let standalone: ImageTree;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-test-'));
  ({ production, standalone } = makeImageTrees(['production', 'standalone'], folder));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.runIf(atFullLength)(
  'the image names a user by number, a process that passes signals on, and a command that exists',
  () => {
    for (const image of [production, standalone]) {
      expect(image).toMatchObject({ user: '1000:1000', entryPoint: ['tini', '--'] });
      expect(readFileSync(join(image.folder, 'app', image.command[1] ?? ''), 'utf8')).not.toBe('');
    }
    for (const name of serviceNames) expect(commandOf(name)).toEqual(['node', `services/${name}/src/main.ts`]);
  },
);

test.runIf(atFullLength)('the gateway alone asks for credentials, and says what it lacks to verify them', async () => {
  const gateway = startIn(production, production.command, { NATS_URL: 'nats://127.0.0.1:1' });
  expect(await gateway.exited).toBe(1);
  expect(gateway.output()).toContain('JWT_SECRET or JWT_JWKS_URL');
});

describe('with the files of the image, as another user, on a tree that cannot be written', () => {
  test.runIf(atFullLength)('every service starts, works and ends', () => tryServices(production));

  test.runIf(atFullLength)('the image for a trial starts with its own servers and without a secret', async () => {
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
