import { scaled } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTableWebhook, type TableWebhook } from '../system/deliveries.ts';
import { eventually } from '../system/eventually.ts';
import { createKey, newPerson, type Person } from '../system/person.ts';
import type { ServiceName } from '../system/service-process.ts';
import type { Disturbance } from './attempts.ts';
import { type ClusterSystem, startClusterSystem } from './cluster-system.ts';
import { expectAllOnce } from './expect-all-once.ts';
import { type Load, startLoad } from './load.ts';
import { isSecondary, primaryOf } from './mongo-replica-set.ts';
import { streamCluster } from './nats-cluster.ts';

const isFull = scaled({ full: 1, short: 0 }) === 1;
/** What is sent later than this after the loss of a process succeeds, in milliseconds. */
const recoveryMs = 30_000;
/** A request whose answer is lost with a process ends after 30 s with 504; in milliseconds. */
const longestMs = 40_000;
const agentId = 'cluster';

let system: ClusterSystem;
let person: Person;
let key: string;
let webhook: TableWebhook;
let load: Load;
beforeAll(async () => {
  if (!isFull) return;
  system = await startClusterSystem();
  person = await newPerson(system.gateways[0]);
  ({ key } = await createKey(person, { scopes: ['*'] }));
  webhook = await createTableWebhook(person);
  load = startLoad({ gateways: system.gateways, person, key, agentId, webhook });
  await load.attempts.untilSteady(60_000);
});
afterAll(() => system?.stop());

/** A process, and how to see that it takes part again after it was started again. */
interface Victim {
  readonly process: { kill(): Promise<void>; start(): Promise<void> };
  readonly isBack?: () => Promise<boolean>;
}

async function leaderOf(stream: string): Promise<Victim> {
  const look = () => streamCluster(system.servers.settings.NATS_URL, stream);
  const { leader } = await look();
  const member = system.servers.nats.find(({ name }) => name === leader);
  if (!member) throw new Error(`${leader} leads ${stream}, and is none of the servers`);
  return { process: member.server, isBack: async () => (await look()).isWhole };
}

async function primary(): Promise<Victim> {
  const process = await primaryOf(system.servers.mongod);
  return { process, isBack: () => isSecondary(process) };
}

async function instanceOf(service: ServiceName): Promise<Victim> {
  const process = system.instances.find(({ name }) => name === service);
  if (!process) throw new Error(`There is no ${service}`);
  return { process };
}

/** In their order. */
const losses: readonly (readonly [string, () => Promise<Victim>])[] = [
  ['the NATS server that leads the memory stream', () => leaderOf('MEMORY')],
  ['the primary of MongoDB', primary],
  ['an instance of memory-ingest', () => instanceOf('memory-ingest')],
  ['an instance of memory-query', () => instanceOf('memory-query')],
];

test.runIf(isFull).each(losses)(
  'after kill -9 of %s requests succeed again within 30 s, and its return is not noticed',
  async (what, find) => {
    const { process: victim, isBack = async () => true } = await find();
    const { attempts } = load;
    const lostAt = performance.now();
    await victim.kill();
    await attempts.untilSteady(recoveryMs);
    const loss = attempts.disturbances(lostAt);
    const returnedAt = performance.now();
    await victim.start();
    await eventually(`${what} takes part again`, isBack, 60_000);
    await attempts.untilSteady(recoveryMs);
    report(`Loss of ${what}`, loss);
    report('Its return', attempts.disturbances(returnedAt));
    expect(loss.filter(({ failingMs }) => failingMs > recoveryMs)).toEqual([]);
    expect(attempts.unexpected()).toEqual([]);
  },
  180_000,
);

test.runIf(isFull)(
  'what was accepted meanwhile is there once',
  async () => {
    const accepted = await load.stop();
    expect(load.attempts.unexpected()).toEqual([]);
    expect(load.attempts.slowestMs()).toBeLessThan(longestMs);
    expect(accepted.contents.length).toBeGreaterThan(100);
    const qdrantUrl = system.servers.qdrant.url;
    for (const gateway of system.gateways) {
      await expectAllOnce(gateway, { qdrantUrl, person, key, agentId, webhook }, accepted);
    }
  },
  180_000,
);

/** For people, since the figures are of interest where they are good as well. */
function report(what: string, disturbances: readonly Disturbance[]): void {
  const parts = disturbances.map(
    ({ name, failures, failingMs, slowestMs }) =>
      `${name} ${failures} failed, until ${failingMs} ms, slowest ${slowestMs} ms`,
  );
  process.stderr.write(`${what}:\n  ${parts.join('\n  ')}\n`);
}
