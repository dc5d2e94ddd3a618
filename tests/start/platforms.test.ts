import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '@mneme/downloads';
import { atFullLength } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { startNode } from '../system/node-process.ts';
import { newDataDir, startCommand } from '../system/start-command.ts';

/** A folder for PATH with the servers in it, and an empty cache. */
let servers: string;
let cache: string;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-platforms-'));
  servers = join(folder, 'bin');
  cache = join(folder, 'cache');
  await mkdir(servers);
  const cached = cacheFolder(process.env, 'bin');
  for (const file of await readdir(cached)) {
    const name = /^(nats-server|mongod|qdrant)-[\d.]+-\w+$/.exec(file)?.[1];
    if (name) await symlink(join(cached, file), join(servers, name));
  }
  return () => rm(folder, { recursive: true });
});

/** The settings of a start that takes itself to be on another machine, without access to a registry. */
function on(platform: NodeJS.Platform, arch: NodeJS.Architecture, path: string) {
  const pretence = `for(const[k,v]of[["platform","${platform}"],["arch","${arch}"]])Object.defineProperty(process,k,{value:v})`;
  return {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretence)}`,
    PATH: path,
    XDG_CACHE_HOME: cache,
    npm_config_registry: 'http://127.0.0.1:9',
  };
}

test.each<[NodeJS.Platform, NodeJS.Architecture, RegExp]>([
  ['darwin', 'arm64', /on darwin-arm64, put nats-server .*`brew install nats-server`.*mongodb-community.*qdrant/],
  ['linux', 'arm64', /on linux-arm64.*, put nats-server .* mongod .* and qdrant .* on PATH/],
  ['win32', 'x64', /Windows cannot run the servers .*WSL 2/],
])('on %s-%s without servers a start says in one sentence what to install', async (platform, arch, message) => {
  const command = startCommand(await newDataDir(), { environment: on(platform, arch, join(cache, 'none')) });
  expect((await command.exited).code).toBe(1);
  expect(command.errors().trim()).toMatch(/^Mneme could not start\. [^\n]*docker compose up[^\n]*$/);
  expect(command.errors()).toMatch(message);
});

test('`npm start` on Windows says in one sentence what to do instead', async () => {
  const environment = on('win32', 'x64', process.env.PATH ?? '');
  const command = startNode({ entry: 'scripts/run.mjs', parameters: ['start'], environment });
  expect((await command.exited).code).toBe(1);
  expect(command.errors().trim()).toMatch(/^Mneme does not run on Windows itself: .*docker compose up.*WSL 2.*$/);
});

test.runIf(atFullLength)(
  'servers on PATH are used on a machine that nothing is downloaded for, without the embedding model',
  async () => {
    const environment = { ...on('linux', 'riscv64', servers), EMBEDDING_MODEL: '' };
    const command = startCommand(await newDataDir(), { environment });
    const http = await command.ready();
    await http.post('/api/memories/batch', { agent_id: 'ana', items: [{ content: 'Ana lives in Lisbon.' }] });
    const { body } = await http.post('/api/search', { agent_id: 'ana', query: 'Where does Ana live?' });
    expect(body.results).toHaveLength(1);
    await command.printed(/Ctrl-C/);
    expect(command.output()).toMatch(
      /^This new memory compares words, not meaning \(builtin:words\), because the embedding model .* no build for linux-riscv64/m,
    );
    expect(command.errors()).toBe('');
    expect(await readdir(cache).catch(() => [])).toEqual([]);
  },
);
