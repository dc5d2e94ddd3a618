import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { damageFile } from '@mneme/local-stack/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEraser } from '../../erasure/eraser.ts';
import { type NatsCluster, startNatsCluster } from '../../testing/nats-cluster.ts';
import { ensureStream } from '../ensure-stream.ts';
import { openLog } from '../log.ts';
import { checkLog } from './check-log.ts';

const stream = 'REPLICATED';
const count = 60;
let cluster: NatsCluster;
let connection: NatsConnection;

/** NATS cannot read anything of a full file of 8 MiB that is damaged; the last one it gets from the other servers again. */
beforeAll(async () => {
  cluster = await startNatsCluster();
  connection = await connect({ servers: cluster.urls, maxReconnectAttempts: -1 });
  await ensureStream(connection, { name: stream, subjects: ['replicated.>'], replicas: 3 });
  for (let n = 1; n <= count; n += 1) await connection.request(`replicated.${n % 3}`, randomBytes(300_000));
}, 60_000);
afterAll(async () => {
  await connection?.close();
  await cluster?.[Symbol.asyncDispose]();
});

const check = () => checkLog(openLog(connection, stream));

async function clusterOf() {
  const { cluster: found } = await (await jetstreamManager(connection, { checkAPI: false })).streams.info(stream);
  return { leader: found?.leader ?? '', replicas: found?.replicas ?? [] };
}

async function followers(): Promise<string[]> {
  return (await clusterOf()).replicas.map(({ name }) => name);
}

/** Resolves when all servers say that they have everything. */
async function whole(): Promise<void> {
  const isWhole = async () => (await clusterOf()).replicas.every(({ current, offline }) => current && !offline);
  await expect.poll(() => isWhole().catch(() => false), { timeout: 60_000 }).toBe(true);
}

function server(name: string) {
  const found = cluster.servers.get(name);
  if (!found) throw new Error(`There is no server ${name}`);
  return found;
}

it('what one server lacks is told, whichever leads, and nothing after it was emptied', async () => {
  await openEraser(connection, stream).erase([3, 4, 50]);
  const intact = { head: count, read: count - 3, unreadable: [] };
  await whole();
  const members = (await check()).members.map(({ server }) => server);
  expect(members.toSorted()).toEqual(['nats-0', 'nats-1', 'nats-2']);
  expect(await check()).toEqual({
    ...intact,
    members: members.map((server) => ({ server, lacking: [], isUnchecked: false })),
  });

  const [damaged = ''] = await followers();
  await damageFile({ servers: { nats: server(damaged) } }, stream);
  await whole();
  const found = await check();
  expect(found).toMatchObject(intact);
  const lacking = new Map(found.members.map((member) => [member.server, member.lacking]));
  expect(lacking.get(damaged)?.length).toBeGreaterThan(10);
  expect(lacking.get(damaged)).not.toContain(3);
  expect(lacking.get(damaged)).not.toContain(count);
  for (const [name, of] of lacking) if (name !== damaged) expect(of).toEqual([]);

  const stepDown = JSON.stringify({ placement: { preferred: damaged } });
  await connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`, stepDown);
  await expect.poll(async () => (await clusterOf().catch(() => undefined))?.leader, { timeout: 30_000 }).toBe(damaged);
  await whole();
  const led = await check();
  expect(led).toMatchObject(intact);
  expect(led.members.find((member) => member.server === damaged)?.lacking).toEqual(lacking.get(damaged));

  const emptied = server(damaged);
  await emptied.stop();
  await expect.poll(async () => (await clusterOf().catch(() => undefined))?.leader, { timeout: 30_000 }).toBeTruthy();
  expect((await check()).members).toContainEqual({ server: damaged, lacking: [], isUnchecked: true });
  await rm(join(emptied.folder ?? '', 'store'), { recursive: true });
  await emptied.start();
  await whole();
  const repaired = await check();
  expect(repaired).toMatchObject(intact);
  for (const member of repaired.members) expect(member).toMatchObject({ lacking: [], isUnchecked: false });
}, 180_000);
