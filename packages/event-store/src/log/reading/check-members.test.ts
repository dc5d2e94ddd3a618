import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { atFullLength, casesOf, damageFile } from '@mneme/local-stack/testing';
import { type ConsumerInfo, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEraser } from '../../erasure/eraser.ts';
import { type NatsCluster, startNatsCluster } from '../../testing/nats-cluster.ts';
import { changing } from '../../testing/slow-connections.ts';
import { ensureStream } from '../ensure-stream.ts';
import { openLog } from '../log.ts';
import { checkLog, type LogCheck } from './check-log.ts';
import { isCurrent } from './member-standing.ts';
import { firstOf } from './ranges.ts';

const stream = 'REPLICATED';
const count = 60;
const erased = [3, 4, 50];
const intact = { head: count, read: count - erased.length, unreadable: [] };
let cluster: NatsCluster;
let connection: NatsConnection;

/** NATS cannot read anything of a full file of 8 MiB that is damaged; the last one it gets from the other servers again. */
beforeAll(async () => {
  cluster = await startNatsCluster();
  connection = await connect({ servers: cluster.urls, maxReconnectAttempts: -1 });
  await ensureStream(connection, { name: stream, subjects: ['replicated.>'], replicas: 3 });
  for (let n = 1; n <= count; n += 1) await connection.request(`replicated.${n % 3}`, randomBytes(300_000));
  await openEraser(connection, stream).erase(erased);
}, 120_000);
afterAll(async () => {
  await connection?.close();
  await cluster?.[Symbol.asyncDispose]();
});

const check = (of = connection) => checkLog(openLog(of, stream));

async function clusterOf() {
  const { cluster: found } = await (await jetstreamManager(connection, { checkAPI: false })).streams.info(stream);
  return { leader: found?.leader ?? '', replicas: found?.replicas ?? [] };
}

async function followers(): Promise<string[]> {
  return (await clusterOf()).replicas.map(({ name }) => name);
}

/** Resolves when all servers have everything, and the leader has heard so from each of them a moment ago. */
async function whole(): Promise<void> {
  const isWhole = async () => {
    const { leader, replicas } = await clusterOf();
    return leader !== '' && replicas.length === 2 && replicas.every(isCurrent);
  };
  await expect.poll(() => isWhole().catch(() => false), { timeout: 90_000 }).toBe(true);
}

async function ledBy(isLeader: (leader: string) => boolean): Promise<void> {
  const isLed = async () => isLeader((await clusterOf()).leader);
  await expect.poll(() => isLed().catch(() => false), { timeout: 60_000 }).toBe(true);
}

/** Checks until all servers were read: under load one that is current may answer late. */
async function checkAll(): Promise<LogCheck> {
  let last: LogCheck | undefined;
  const isComplete = async () => {
    last = await check();
    return last.members.every(({ isUnchecked }) => !isUnchecked);
  };
  await expect.poll(isComplete, { timeout: 90_000 }).toBe(true);
  if (!last) throw new Error('Nothing was checked');
  return last;
}

/** The sequences that each server lacks. */
function lackingIn({ members }: LogCheck): Map<string, number[]> {
  return new Map(members.map((member) => [member.server, firstOf(member.lacking, count)]));
}

/** A connection that kills a server as soon as anything is read from it. */
function killingWhenRead(name: string): NatsConnection {
  const placed = new Set<string>();
  let killed: Promise<void> | undefined;
  return changing(connection, {
    request: async (subject, data, options) => {
      const consumer = subject.split('.').at(-1) ?? '';
      if (subject.startsWith('$JS.API.CONSUMER.INFO.') && placed.has(consumer)) {
        killed ??= server(name).kill();
        await killed;
      }
      const answer = await connection.request(subject, data, options);
      const { cluster: found } = subject.startsWith('$JS.API.CONSUMER.CREATE.') ? answer.json<ConsumerInfo>() : {};
      if (found?.leader === name) placed.add(consumer);
      return answer;
    },
  });
}

function server(name: string) {
  const found = cluster.servers.get(name);
  if (!found) throw new Error(`There is no server ${name}`);
  return found;
}

it.runIf(atFullLength)(
  'what one server lacks is told, whichever leads, and nothing after it was emptied',
  async () => {
    await whole();
    const undamaged = await checkAll();
    const members = undamaged.members.map((member) => member.server);
    expect(members.toSorted()).toEqual(['nats-0', 'nats-1', 'nats-2']);
    expect(undamaged).toEqual({
      ...intact,
      members: members.map((name) => ({ server: name, lacking: [], isUnchecked: false })),
    });

    const [damaged = ''] = await followers();
    await damageFile({ servers: { nats: server(damaged) } }, stream);
    await whole();
    const found = await checkAll();
    expect(found).toMatchObject(intact);
    const lacking = lackingIn(found);
    expect(lacking.get(damaged)?.length).toBeGreaterThan(10);
    expect(lacking.get(damaged)).not.toContain(3);
    expect(lacking.get(damaged)).not.toContain(count);
    for (const [name, of] of lacking) if (name !== damaged) expect(of).toEqual([]);

    const stepDown = JSON.stringify({ placement: { preferred: damaged } });
    await connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`, stepDown);
    await ledBy((leader) => leader === damaged);
    await whole();
    const led = await checkAll();
    expect(led).toMatchObject(intact);
    expect(lackingIn(led)).toEqual(lacking);

    const emptied = server(damaged);
    await emptied.stop();
    await ledBy((leader) => leader !== '' && leader !== damaged);
    expect((await check()).members).toContainEqual({ server: damaged, lacking: [], isUnchecked: true });
    await rm(join(emptied.folder ?? '', 'store'), { recursive: true });
    await emptied.start();
    await whole();
    const repaired = await checkAll();
    expect(repaired).toMatchObject(intact);
    expect([...lackingIn(repaired).values()]).toEqual([[], [], []]);
  },
  400_000,
);

it.each(casesOf(['follower', 'leader']))(
  'a %s that is killed while it is read was not checked',
  async (role) => {
    await whole();
    const { leader, replicas } = await clusterOf();
    const name = role === 'leader' ? leader : (replicas[0]?.name ?? '');
    try {
      const found = await check(killingWhenRead(name));
      expect(found).toMatchObject(intact);
      expect(found.members).toContainEqual({ server: name, lacking: [], isUnchecked: true });
    } finally {
      await server(name).start();
    }
  },
  200_000,
);
