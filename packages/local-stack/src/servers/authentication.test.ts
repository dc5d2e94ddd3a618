import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { Stack } from '../stack/stack.ts';
import { useDataFolder } from '../testing/data-folder.ts';
import { waitUntil } from '../wait-until.ts';

const folder = useDataFolder();
const { start } = folder;

describe('the servers of a start', () => {
  it('refuse clients without a credential', async () => {
    const stack = await start();
    const [nats, mongodb] = [new URL(stack.natsUrl), new URL(stack.mongodbUrl)];
    await expect(connect({ servers: nats.host, reconnect: false })).rejects.toThrow(/authorization/i);
    const anonymous = new MongoClient(`mongodb://${mongodb.host}/?directConnection=true`);
    await expect(anonymous.db('test').collection('a').find().toArray()).rejects.toThrow(/requires authentication/);
    await expect(anonymous.db('admin').command({ createUser: 'x', pwd: 'y', roles: ['root'] })).rejects.toThrow();
    await anonymous.close();
    expect((await fetch(`${stack.qdrantUrl}/collections`)).status).toBe(401);
  });

  it('let those in who have what their settings say', async () => {
    const { settings, ...stack } = await start();
    expect(Object.keys(settings).sort()).toEqual(['MONGODB_URL', 'NATS_URL', 'QDRANT_API_KEY', 'QDRANT_URL']);
    const { username: user, password: pass, host } = new URL(settings.NATS_URL ?? '');
    await (await connect({ servers: host, user, pass })).close();
    expect(await countRows(settings.MONGODB_URL)).toBe(1);
    const headers = { 'api-key': settings.QDRANT_API_KEY ?? '' };
    expect((await fetch(`${stack.qdrantUrl}/collections`, { headers })).status).toBe(200);
  });

  it('tell no web page anything: Qdrant allows no origin, also to a caller with the key', async () => {
    const stack = await start({ servers: ['qdrant'] });
    const headers = { origin: 'http://attacker.example', 'api-key': qdrantKey(stack) };
    const reply = await fetch(`${stack.qdrantUrl}/collections`, { headers });
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    const preflight = { ...headers, 'access-control-request-method': 'PUT' };
    const asked = await fetch(`${stack.qdrantUrl}/collections/a`, { method: 'OPTIONS', headers: preflight });
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('have credentials of their own in each data folder, the same at each start', async () => {
    const first = await start();
    const other = await mkdtemp(join(tmpdir(), 'mneme-test-'));
    const elsewhere = await start({ dataDir: other });
    for (const secretOf of [natsPassword, mongodbPassword, qdrantKey]) {
      expect(secretOf(first)).toMatch(/^[\w-]{43}$/);
      expect(secretOf(elsewhere)).not.toBe(secretOf(first));
    }
    await Promise.all([first.stop(), elsewhere.stop()]);
    await rm(other, { recursive: true });
    const again = await start();
    for (const secretOf of [natsPassword, mongodbPassword, qdrantKey]) expect(secretOf(again)).toBe(secretOf(first));
  });

  it('open what an earlier release left without credentials', async () => {
    const earlier = await start({ authentication: 'none' });
    await countRows(earlier.mongodbUrl);
    await earlier.stop();
    const stack = await start();
    expect(await countRows(stack.mongodbUrl)).toBe(2);
    const anonymous = new MongoClient(`mongodb://${new URL(stack.mongodbUrl).host}/?directConnection=true`);
    await expect(anonymous.db('test').collection('a').find().toArray()).rejects.toThrow(/requires authentication/);
    await anonymous.close();
  });

  it('get new credentials when those of the folder were lost', async () => {
    const first = await start({ servers: ['mongod'] });
    await countRows(first.mongodbUrl);
    await first.stop();
    await rm(join(folder.dataDir, 'mongod-password'));
    const stack = await start({ servers: ['mongod'] });
    expect(mongodbPassword(stack)).not.toBe(mongodbPassword(first));
    expect(await countRows(stack.mongodbUrl)).toBe(2);
  });

  it('are named in what a start tells, without their credentials', async () => {
    const told: unknown[] = [];
    const stack = await start({ onProgress: (progress) => told.push(progress) });
    expect(JSON.stringify(told)).toContain(new URL(stack.mongodbUrl).host);
    for (const secretOf of [natsPassword, mongodbPassword, qdrantKey]) {
      expect(JSON.stringify(told)).not.toContain(secretOf(stack));
    }
  });
});

describe('what a start keeps', () => {
  it('is for its owner only', async () => {
    const stack = await start();
    await countRows(stack.mongodbUrl);
    expect(await readableByOthers(folder.dataDir)).toEqual([]);
  });

  it('is closed to others where an earlier release left it open, but for files that are not its own', async () => {
    await (await start()).stop();
    const foreign = join(folder.dataDir, 'foreign');
    await writeFile(foreign, '');
    for (const path of await allIn(folder.dataDir)) await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644);
    await start();
    const open = await readableByOthers(folder.dataDir);
    expect(open.filter((path) => path.includes('/', folder.dataDir.length + 1))).toEqual([]);
    expect(open).toContain(foreign);
    expect((await stat(folder.dataDir)).mode & 0o777).toBe(0o700);
  });

  it('may be in a folder for all users of the machine, which stays open', async () => {
    await chmod(folder.dataDir, 0o1777);
    await start({ servers: ['nats'] });
    expect((await stat(folder.dataDir)).mode & 0o7777).toBe(0o1777);
    expect((await readableByOthers(folder.dataDir)).filter((path) => path !== folder.dataDir)).toEqual([]);
  });

  it('holds no text of a slow operation in a log', async () => {
    const stack = await start({ servers: ['mongod'] });
    await updateSlowly(stack.mongodbUrl, 'a text that is not for others');
    await stack.stop();
    const log = await readFile(join(folder.dataDir, 'logs', 'mongod.log'), 'utf8');
    expect(log).toContain('Waiting for connections');
    expect(log).not.toContain('not for others');
  });

  it('holds no log of mongod by an earlier release, which may have such texts', async () => {
    await (await start({ servers: ['mongod'], authentication: 'none' })).stop();
    await writeFile(join(folder.dataDir, 'logs', 'mongod.log'), 'a text');
    await start({ servers: ['mongod'] });
    expect(await readdir(join(folder.dataDir, 'logs'))).toEqual(['mongod.log']);
  });
});

const natsPassword = (stack: Stack) => new URL(stack.natsUrl).password;
const mongodbPassword = (stack: Stack) => new URL(stack.mongodbUrl).password;
const qdrantKey = (stack: Stack) => stack.settings.QDRANT_API_KEY ?? '';

/** Adds a row and counts all. */
async function countRows(url = ''): Promise<number> {
  const client = new MongoClient(url);
  try {
    const rows = client.db('test').collection('rows');
    await rows.insertOne({});
    return await rows.countDocuments();
  } finally {
    await client.close();
  }
}

/** An update that waits, longer than any usual threshold, for a transaction that holds its row. */
async function updateSlowly(url: string, text: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    const rows = client.db('test').collection<{ _id: number; text: string }>('rows');
    await rows.insertOne({ _id: 1, text: '' });
    const session = client.startSession();
    session.startTransaction();
    await rows.updateOne({ _id: 1 }, { $set: { text: 'held' } }, { session });
    const update = rows.updateOne({ _id: 1 }, { $set: { text } });
    const slow = { ns: 'test.rows', op: 'update', microsecs_running: { $gt: 300_000 } };
    const running = () =>
      client
        .db('admin')
        .aggregate([{ $currentOp: {} }, { $match: slow }])
        .hasNext();
    await waitUntil(running, 10_000);
    await session.abortTransaction();
    await update;
    await session.endSession();
  } finally {
    await client.close();
  }
}

async function allIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return [folder, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
}

/** Servers remove files of theirs at any time; a file that is gone cannot be read. */
async function readableByOthers(folder: string): Promise<string[]> {
  const paths = await allIn(folder);
  const modes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ mode }) => mode,
        () => 0,
      ),
    ),
  );
  return paths.filter((_path, index) => ((modes[index] ?? 0) & 0o077) !== 0);
}
