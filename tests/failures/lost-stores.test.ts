import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from '@mneme/local-stack';
import { atFullLength, casesOf } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  acknowledge,
  createTableWebhook,
  createWebhook,
  logsOf,
  rowsOf,
  type TableWebhook,
  webhooksOf,
} from '../system/deliveries.ts';
import { eventually } from '../system/eventually.ts';
import type { Answer } from '../system/http-client.ts';
import { createKey, keysOf, newPerson, type Person, useKey } from '../system/person.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { openQdrant } from '../system/stores/qdrant.ts';
import { takeSnapshot } from './snapshot.ts';

const agentIds = ['plain', 'editor', 'many'];
/** Well above the time of a rebuild of so little. */
const rebuildMs = 60_000;

let system: System;
let ana: Person;
let webhook: TableWebhook;
let keys: { readonly valid: string; readonly revoked: string };
let before: Awaited<ReturnType<typeof takeAll>>;

beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  await storeSome();
  await manageSome();
  before = await takeAll();
  expect(before.isAdmitted).toEqual([200, 401]);
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

async function manageSome(): Promise<void> {
  ana = await newPerson(system.http);
  const [valid, revoked] = [await createKey(ana), await createKey(ana)];
  await ana.http.delete(`/api/v3/api-keys/${revoked.id}?project_id=${ana.projectId}`);
  keys = { valid: valid.key, revoked: revoked.key };
  webhook = await createTableWebhook(ana);
  for (const payload of ['{"fruit":"lemon","count":1}', '{"fruit":"lime","ripe":true}'])
    await acknowledge(system.http, webhook, payload);
  await rowsOf(ana, webhook.table_id);
}

/** All that can be read: of memory, keys, and webhooks. */
async function takeAll() {
  return {
    memory: await takeSnapshot(system.http, agentIds, []),
    // How they are used changes by looking whether they are admitted.
    keys: (await keysOf(ana)).map(({ last_used_at: _, request_count: __, ...key }) => key),
    isAdmitted: [await useKey(system.http, keys.valid), await useKey(system.http, keys.revoked)],
    webhooks: await webhooksOf(ana),
    logs: await logsOf(ana, webhook),
    rows: await rowsOf(ana, webhook.table_id),
  };
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

/** Copies the data of a server as they are now. @returns what puts them back */
async function backUp(server: Server): Promise<() => Promise<void>> {
  const backup = await mkdtemp(join(tmpdir(), 'mneme-backup-'));
  await server.kill();
  await cp(folderOf(server), backup, { recursive: true });
  await server.start();
  return async () => {
    await server.kill();
    await rm(folderOf(server), { recursive: true });
    await cp(backup, folderOf(server), { recursive: true });
    await server.start();
    await rm(backup, { recursive: true });
  };
}

/** @param wrong gets each answer that is not the right one, and does not say that it cannot be given yet */
async function asBeforeOrUnavailable(wrong: string[]): Promise<boolean> {
  const search = { agent_id: 'plain', query: 'Who holds lemons?' };
  const [list, found, listed, rows] = await Promise.all([
    system.http.get('/api/list?agent_id=plain'),
    system.http.post('/api/search', search),
    ana.http.get(`/api/v3/api-keys?project_id=${ana.projectId}`),
    ana.http.get(`/api/v3/tables/${webhook.table_id}/rows`),
  ]);
  const isAnswered = (what: string, { status, headers, body }: Answer<unknown>, isRight: () => boolean) => {
    const isUnavailable = status === 503 && /^\d+$/.test(headers.get('retry-after') ?? '');
    if (status === 200 ? !isRight() : !isUnavailable) wrong.push(`${what}: ${status} ${JSON.stringify(body)}`);
    return status === 200;
  };
  return [
    isAnswered('memories', list, () => list.body.total === 2),
    isAnswered('search', found, () => found.body.results.length > 0),
    isAnswered('keys', listed, () => listed.body.length === before.keys.length),
    isAnswered('rows', rows, () => rows.body.total === before.rows.length),
  ].every(Boolean);
}

/** Of vectors, one for each version of the read model. */
async function collections(): Promise<readonly unknown[]> {
  return (await openQdrant(system.stack.qdrantUrl).getCollections()).collections;
}

async function becomesAsBefore(): Promise<void> {
  const wrong: string[] = [];
  await eventually('every answer can be given', () => asBeforeOrUnavailable(wrong), rebuildMs).finally(() =>
    expect(wrong).toEqual([]),
  );
  const isSame = async () => JSON.stringify(await takeAll()) === JSON.stringify(before);
  await eventually('everything reads as before', isSame, rebuildMs).catch(() => undefined);
  expect(await takeAll()).toEqual(before);
}

describe.each(['qdrant', 'mongod'] as const)('when the data of %s is lost', (name) => {
  test('while everything runs, each answer is right or 503, and all of them are right in the end', async () => {
    const server = system.stack.servers[name];
    await server.kill();
    await emptyFolder(server);
    await server.start();
    await becomesAsBefore();
    await eventually('former versions have left no vectors', async () => (await collections()).length === 1);
  });

  test.runIf(atFullLength)('while the services do not run, the same holds when they start', async () => {
    const server = system.stack.servers[name];
    await system.restartServices(async () => {
      await server.kill();
      await emptyFolder(server);
      await server.start();
    });
    await becomesAsBefore();
  });
});

describe.runIf(atFullLength)('when an older backup of Qdrant is restored', () => {
  const search = () => system.http.post('/api/search', { agent_id: 'late', query: 'Who holds figs?' });

  test.each(casesOf(['while the services run', 'while the services do not run']))(
    '%s, what was stored after it is found again',
    async (when) => {
      const restore = await backUp(system.stack.servers.qdrant);
      // What is written within a look of the backup cannot be told from what it has.
      await pause(4_000);
      const content = `Finn holds figs, said ${when}.`;
      const isStored = async () => (await store('late', [content])).status === 200;
      await eventually('it is stored while Qdrant is there again', isStored, rebuildMs);
      await (when === 'while the services run' ? restore() : system.restartServices(restore));
      const isFound = async () => {
        const { status, body } = await search();
        return status === 200 && body.results.some(({ text }: { text: string }) => text === content);
      };
      await eventually('it is found', isFound, rebuildMs);
    },
  );
});

describe('when an older log is restored', () => {
  /** What the log has lost afterwards. */
  const storeMore = async () => {
    await eventually(
      'the log is there again',
      async () => (await store('plain', ['Carol holds pears.'])).status === 200,
    );
    await store('plain', ['Dave holds plums.']);
    const lost = await createTableWebhook(ana);
    await acknowledge(system.http, lost, '{"fruit":"pear"}');
    expect(await rowsOf(ana, lost.table_id)).toHaveLength(1);
    const { key } = await createKey(ana);
    expect(await useKey(system.http, key)).toBe(200);
    return { webhook: lost, key };
  };

  const storeAfterwards = async (content: string) => {
    const statuses: number[] = [];
    const isStored = async () => {
      const { status } = await store('plain', [content]);
      statuses.push(status);
      return status === 200;
    };
    await eventually('something is stored in the restored log', isStored, rebuildMs).finally(() =>
      expect(statuses).not.toContain(409),
    );
  };

  test.each(casesOf(['while the services run', 'while the services do not run']))(
    '%s, what is stored afterwards is found, and what the log has lost is not',
    async (when) => {
      const known = (await system.http.get('/api/list?agent_id=plain')).body.total;
      const restore = await backUp(system.stack.servers.nats);
      const lost = await storeMore();
      await (when === 'while the services run' ? restore() : system.restartServices(restore));
      const content = `Erin holds quinces, said ${when}.`;
      await storeAfterwards(content);
      const list = await eventually(
        'the list is that of the log',
        async () => {
          const { status, body } = await system.http.get('/api/list?agent_id=plain');
          return status === 200 && body.total === known + 1 && body;
        },
        rebuildMs,
      );
      const texts = list.items.map(({ text }: { text: string }) => text);
      expect(texts).toContain(content);
      expect(texts).not.toContain('Carol holds pears.');
      await expectForgotten(lost);
    },
  );

  /** Keys and webhooks of which the log knows nothing are gone, and their ids are given to others. */
  const expectForgotten = async (lost: Awaited<ReturnType<typeof storeMore>>) => {
    await eventually(
      'the lost key is refused and the lost webhook unknown',
      async () => {
        const listed = await ana.http.get(`/api/v3/projects/${ana.projectId}/webhooks`);
        const ids = listed.status === 200 ? listed.body.map(({ id }: { id: number }) => id) : [];
        return (
          (await useKey(system.http, lost.key)) === 401 && ids.includes(webhook.id) && !ids.includes(lost.webhook.id)
        );
      },
      rebuildMs,
    );
    expect(await rowsOf(ana, webhook.table_id)).toEqual(before.rows);
    // It has the position of one that the bucket of keys had applied before.
    const { key } = await eventually('a key is created', () => createKey(ana), rebuildMs);
    expect(await useKey(system.http, key)).toBe(200);
    const alone = await createWebhook(ana);
    const another = await createTableWebhook(ana);
    expect([alone.id, another.table_id]).toEqual([lost.webhook.id, lost.webhook.table_id]);
    await acknowledge(system.http, alone, '{"fruit":"quince"}');
    await acknowledge(system.http, another, '{"fruit":"medlar"}');
    expect(await logsOf(ana, alone)).toHaveLength(1);
    expect(await rowsOf(ana, another.table_id)).toMatchObject([{ values: { fruit: 'medlar' } }]);
    for (const { id } of [alone, another]) await ana.http.delete(`/api/v3/webhooks/${id}`);
  };
});
