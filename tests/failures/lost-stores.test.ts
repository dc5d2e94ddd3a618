import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from '@mneme/local-stack';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

const agentIds = ['plain', 'editor', 'many'];
/** Well above the time of a rebuild of so little. */
const rebuildMs = 60_000;

let system: System;
let before: Snapshot;

beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  await storeSome();
  before = await takeSnapshot(system.http, agentIds, []);
});
afterAll(() => system?.stop());

async function store(agent_id: string, contents: readonly string[], document_id: string | null = null) {
  const items = contents.map((content) => ({ content }));
  return system.http.post('/api/memories/batch', { agent_id, document_id, items });
}

async function storeSome(): Promise<void> {
  await store('plain', ['Alice holds lemons.', 'Bob holds limes.']);
  await store('editor', ['Dana holds lemons.'], 'diary');
  await store('editor', ['Dana holds lemons again.'], 'diary');
  await store(
    'many',
    Array.from({ length: 60 }, (_, index) => `Crate C${index} holds lemons number ${index}.`),
  );
}

function folderOf({ folder }: Server): string {
  if (folder === undefined) throw new Error('The server keeps its data elsewhere');
  return folder;
}

/** Removes the data of a server, but not how it is to be started. */
async function emptyFolder(server: Server): Promise<void> {
  const folder = folderOf(server);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await rm(join(folder, entry.name), { recursive: true, force: true });
  }
}

/** Every answer is the right one, or says that it cannot be given yet. */
async function asBeforeOrUnavailable(): Promise<boolean> {
  const search = { agent_id: 'plain', query: 'Who holds lemons?' };
  const answers = await Promise.all([
    system.http.get('/api/list?agent_id=plain'),
    system.http.post('/api/search', search),
  ]);
  for (const { status, headers } of answers) {
    if (status !== 200) {
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
  }
  const [list, found] = answers;
  if (list?.status === 200) expect(list.body.total).toBe(2);
  if (found?.status === 200) expect(found.body.results.length).toBeGreaterThan(0);
  return answers.every(({ status }) => status === 200);
}

async function becomesAsBefore(): Promise<void> {
  await eventually('every answer can be given', asBeforeOrUnavailable, rebuildMs);
  const isSame = async () => JSON.stringify(await takeSnapshot(system.http, agentIds, [])) === JSON.stringify(before);
  await eventually('everything reads as before', isSame, rebuildMs).catch(() => undefined);
  expect(await takeSnapshot(system.http, agentIds, [])).toEqual(before);
}

describe.each(['qdrant', 'mongod'] as const)('when the data of %s is lost', (name) => {
  test('while everything runs, each answer is right or 503, and all of them are right in the end', async () => {
    const server = system.stack.servers[name];
    await server.kill();
    await emptyFolder(server);
    await server.start();
    await becomesAsBefore();
  });

  test('while the services do not run, the same holds when they start', async () => {
    const server = system.stack.servers[name];
    await server.kill();
    await emptyFolder(server);
    await server.start();
    await system.restartServices();
    await becomesAsBefore();
  });
});

describe('when an older log is restored', () => {
  const restore = async () => {
    const { nats } = system.stack.servers;
    const backup = await mkdtemp(join(tmpdir(), 'mneme-backup-'));
    await nats.kill();
    await cp(folderOf(nats), backup, { recursive: true });
    await nats.start();
    await eventually(
      'the log is there again',
      async () => (await store('plain', ['Carol holds pears.'])).status === 200,
    );
    await store('plain', ['Dave holds plums.']);
    await nats.kill();
    await rm(folderOf(nats), { recursive: true });
    await cp(backup, folderOf(nats), { recursive: true });
    await nats.start();
    await rm(backup, { recursive: true });
  };

  test.each([
    ['while the services run', 'go on'],
    ['and the services are started anew', 'restart'],
  ])('%s, what is stored afterwards is found, and what the log has lost is not', async (when, then) => {
    const known = (await system.http.get('/api/list?agent_id=plain')).body.total;
    await restore();
    if (then === 'restart') await system.restartServices();
    const stored = await eventually(
      'something is stored in the restored log',
      async () => {
        const answer = await store('plain', [`Erin holds quinces, said ${when}.`]);
        expect(answer.status).not.toBe(409);
        return answer.status === 200 && answer;
      },
      rebuildMs,
    );
    expect(stored.status).toBe(200);
    const list = await eventually(
      'the list is that of the log',
      async () => {
        const { status, body } = await system.http.get('/api/list?agent_id=plain');
        return status === 200 && body.total === known + 1 && body;
      },
      rebuildMs,
    );
    const texts = list.items.map(({ text }: { text: string }) => text);
    expect(texts).toContain(`Erin holds quinces, said ${when}.`);
    expect(texts).not.toContain('Carol holds pears.');
  });
});
