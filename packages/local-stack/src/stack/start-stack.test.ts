import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { DataFolderInUseError, ServerStartError } from '../errors.ts';
import type { Progress } from '../progress.ts';
import { useDataFolder } from '../testing/data-folder.ts';
import { isRunning } from '../testing/process-probe.ts';
import { waitUntil } from '../wait-until.ts';

const folder = useDataFolder();
const { start, environment } = folder;

it('finds the data of an earlier stack again, on other ports', async () => {
  const first = await start({ servers: ['mongod'] });
  await insertRow(first.mongodbUrl);
  await first.stop();

  const second = await start({ servers: ['mongod'] });
  expect(second.mongodbUrl).not.toBe(first.mongodbUrl);
  expect(await insertRow(second.mongodbUrl)).toBe(2);
});

it('uses the server that the environment names, and does not stop it', async () => {
  const url = 'nats://nats.example:4222';
  const stack = await start({ servers: ['nats'], environment: { ...environment, NATS_URL: url } });
  expect(stack.natsUrl).toBe(url);
  expect(stack.servers.nats.pid).toBeUndefined();
});

it.each([
  ['nats', 'NATS_URL', 'nats://me:s3cret@a:4222, nats://me:s3cret@b:4222', 'nats://a:4222, nats://b:4222'],
  ['nats', 'NATS_URL', 'me:s3cret@a:4222,s3cret@b', 'a:4222,b'],
  ['nats', 'NATS_URL', 'nats://me:s3c/ret@a', 'nats://a'],
  ['mongod', 'MONGODB_URL', 'mongodb://me:s3,cret@a:1,b:2/?appName=x@y', 'mongodb://a:1,b:2/?appName=x@y'],
] as const)('tells of no password in the addresses of %s (%s): %s', async (server, variable, url, shown) => {
  const seen: Progress[] = [];
  const onProgress = (progress: Progress) => void seen.push(progress);
  const given = { ...environment, [variable]: url };
  const stack = await start({ servers: [server], environment: given, onProgress });
  await stack.stop();
  expect(seen).toEqual([expect.objectContaining({ kind: 'ready', url: shown })]);
});

it('refuses a data folder that is in use, until it is not', async () => {
  const first = await start({ servers: ['nats'] });
  const second = start({ servers: ['nats'] });
  await expect(second).rejects.toThrow(DataFolderInUseError);
  await expect(second).rejects.toThrow(`(${process.pid})`);
  await first.stop();

  await start({ servers: ['nats'] });
});

it('leaves no server running, and the data folder free, when its process is killed', async () => {
  const { parent, pids } = await startInOtherProcess();
  expect(pids.every(isRunning)).toBe(true);
  await expect(start({ servers: ['nats'] })).rejects.toThrow(DataFolderInUseError);

  parent.kill('SIGKILL');
  await once(parent, 'exit');

  await waitUntil(() => !pids.some(isRunning), 10_000);
  await start();
});

describe('a server that ends unexpectedly', () => {
  it('is reported, and stays down unless asked otherwise', async () => {
    const seen: Progress[] = [];
    const onProgress = (progress: Progress) => void seen.push(progress);
    const stack = await start({ servers: ['nats'], onProgress });
    process.kill(stack.servers.nats.pid as number, 'SIGKILL');
    await waitUntil(() => seen.length > 1, 5_000);
    expect(seen.slice(1)).toEqual([{ kind: 'exited', server: 'nats', code: null, signal: 'SIGKILL' }]);
    expect(stack.servers.nats.pid).toBeUndefined();
  });

  it('is started again on its address when the stack keeps it running', async () => {
    const kinds: Progress['kind'][] = [];
    const onProgress = ({ kind }: Progress) => kinds.push(kind);
    const stack = await start({ servers: ['nats'], keepRunning: true, onProgress });
    const [url, pid] = [stack.natsUrl, stack.servers.nats.pid as number];
    process.kill(pid, 'SIGKILL');
    await waitUntil(() => stack.servers.nats.pid !== undefined && stack.servers.nats.pid !== pid, 10_000);
    expect(stack.natsUrl).toBe(url);
    expect(kinds).toEqual(['ready', 'exited', 'restarting']);
  });

  it('is not reported when it was killed through the stack', async () => {
    const kinds: Progress['kind'][] = [];
    const onProgress = ({ kind }: Progress) => void kinds.push(kind);
    const stack = await start({ servers: ['nats'], onProgress });
    await stack.servers.nats.kill();
    await stack.servers.nats.start();
    await stack.stop();
    expect(kinds).toEqual(['ready']);
  });
});

describe('a server that can not start', () => {
  it('is reported with the end of its log, and the others are stopped', async () => {
    const broken = await script('echo "the disk is on fire"; exit 3');
    const started = start({ environment: { ...environment, MNEME_QDRANT: broken } });
    await expect(started).rejects.toThrow(ServerStartError);
    await expect(started).rejects.toThrow(/qdrant could not be started .*the disk is on fire/s);
    await start();
  });

  it.each([
    [
      'error while loading shared libraries: libcurl.so.4: cannot open shared object file',
      /libcurl\.so\.4: install libcurl4 .*docker compose up/,
    ],
    [
      "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.36' not found (required by mongod)",
      /needs glibc 2\.36 or newer, which Debian 12 .*on PATH, or use `docker compose up`\.$/,
    ],
  ])('names what mongod misses of the system, and how to get it: %s', async (printed, message) => {
    const broken = await script(`cat <<'END'\nmongod: ${printed}\nEND\nexit 127`);
    const started = start({ servers: ['mongod'], environment: { ...environment, MNEME_MONGOD: broken } });
    await expect(started).rejects.toThrow(message);
  });
});

describe('a server whose files are damaged', () => {
  it.each([
    [
      'mongod',
      join('data', '_mdb_catalog.wt'),
      /^The files in .*mongod seem to be damaged\. Move .* but not the use of API keys/,
    ],
    ['mongod', join('data', 'WiredTiger.turtle'), /^The files in .*mongod seem to be damaged/],
    [
      'qdrant',
      join('storage', 'raft_state.json'),
      /^The files in .*qdrant seem to be damaged\. Move .* rebuilt from the event log\./,
    ],
  ] as const)('(%s, %s) tells what to do, and starts when the folder is moved away', async (server, file, message) => {
    await (await start({ servers: [server] })).stop();
    await writeFile(join(folder.dataDir, server, file), 'damaged');
    await expect(start({ servers: [server] })).rejects.toThrow(message);
    await rename(join(folder.dataDir, server), join(folder.dataDir, 'damaged'));
    await start({ servers: [server] });
  });

  it('is not taken for damaged when the disk is full', async () => {
    const broken = await script('echo "Panic occurred in file x: No space left on device (os error 28)"; exit 101');
    const started = start({ servers: ['qdrant'], environment: { ...environment, MNEME_QDRANT: broken } });
    await expect(started).rejects.toThrow(/qdrant could not be started .*No space left/s);
  });
});

async function script(body: string): Promise<string> {
  const path = join(folder.dataDir, 'server');
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}

async function insertRow(url: string): Promise<number> {
  const client = new MongoClient(url);
  try {
    const rows = client.db('kept').collection('rows');
    await rows.insertOne({});
    return await rows.countDocuments();
  } finally {
    await client.close();
  }
}

/** Another process that starts all servers in `dataDir` and then waits to be killed. */
async function startInOtherProcess() {
  const program = `
    import { startStack } from ${JSON.stringify(new URL('./start-stack.ts', import.meta.url).href)};
    const { servers } = await startStack({ dataDir: ${JSON.stringify(folder.dataDir)} });
    console.log(JSON.stringify([servers.nats.pid, servers.mongod.pid, servers.qdrant.pid]));
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(parent.stdout), 'line');
  return { parent, pids: JSON.parse(line) as number[] };
}
