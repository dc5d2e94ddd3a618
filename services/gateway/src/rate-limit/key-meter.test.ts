import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessBuckets, keyUsageSchema } from '@mneme/contracts';
import { makeBucket } from '@mneme/event-store';
import { createTestServer, natsDefinition, type Stack, startTestStack, waitUntil } from '@mneme/local-stack/testing';
import { type KV, Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bucketDeps } from '../testing/bucket-deps.ts';
import { createKeyMeter } from './key-meter.ts';
import { openUsageStore, type UsageStore } from './usage-store.ts';

let stack: Stack;
let connections: NatsConnection[];
let bucket: KV;
let keyId = 0;
let keyHash: string;

beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
  connections = await Promise.all(Array.from({ length: 4 }, () => connect({ servers: stack.natsUrl })));
  const [connection] = connections as [NatsConnection];
  bucket = await makeBucket(connection, { ...accessBuckets.keyUsage, replicas: 1 });
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await stack.stop();
});
beforeEach(() => {
  keyHash = randomBytes(32).toString('hex');
  keyId += 1;
});

function openStore(connection: NatsConnection): Promise<UsageStore> {
  return openUsageStore(bucketDeps(connection));
}

/** As many gateways, each on a connection of its own. */
function gateways(clock: () => number = Date.now, serverClock = clock) {
  return Promise.all(
    connections.map(async (connection) => {
      const store = { ...(await openStore(connection)), serverTime: async () => serverClock() };
      return createKeyMeter({ store, clock });
    }),
  );
}

const usage = async () => keyUsageSchema.parse((await bucket.get(keyHash))?.json());

describe('a key over several gateways', () => {
  it('is admitted exactly as often as its limit says, however many requests arrive together', async () => {
    const meters = await gateways();
    const asked = Array.from({ length: 2_000 }, (_, index) =>
      meters[index % meters.length]?.take({ keyId, keyHash }, 1_000),
    );
    const decisions = await Promise.all(asked);
    expect(decisions.filter((decision) => decision?.isAdmitted)).toHaveLength(1_000);
    expect(await usage()).toMatchObject({ requests: 1_000 });
  });

  it('is counted by one write for all that arrive during another', async () => {
    const [meter] = await gateways();
    const before = (await bucket.status()).streamInfo.state.last_seq;
    await Promise.all(Array.from({ length: 500 }, () => meter?.take({ keyId, keyHash }, 1_000)));
    const writes = (await bucket.status()).streamInfo.state.last_seq - before;
    expect(writes).toBeLessThanOrEqual(3);
    expect(await usage()).toMatchObject({ requests: 500 });
  });

  it('is admitted again when its first requests are 60 s old, and not before', async () => {
    let now = Date.now();
    const [first, second] = await gateways(() => now);
    for (const _request of [1, 2]) expect((await first?.take({ keyId, keyHash }, 2))?.isAdmitted).toBe(true);
    now += 59_999;
    expect(await second?.take({ keyId, keyHash }, 2)).toEqual({
      isAdmitted: false,
      limit: 2,
      remaining: 0,
      resetSeconds: 1,
    });
    now += 1;
    expect(await second?.take({ keyId, keyHash }, 2)).toEqual({
      isAdmitted: true,
      limit: 2,
      remaining: 1,
      resetSeconds: 60,
    });
  });

  it('costs no write when it is already full', async () => {
    const [meter] = await gateways();
    await meter?.take({ keyId, keyHash }, 1);
    const { revision } = (await bucket.get(keyHash)) ?? {};
    const decisions = await Promise.all(Array.from({ length: 50 }, () => meter?.take({ keyId, keyHash }, 1)));
    expect(decisions.every((decision) => decision?.isAdmitted === false)).toBe(true);
    expect((await bucket.get(keyHash))?.revision).toBe(revision);
  });

  it('counts from zero after its record was deleted, within the same minute', async () => {
    const [first, second] = await gateways();
    await first?.take({ keyId, keyHash }, 2);
    await bucket.purge(keyHash);
    expect(await second?.take({ keyId, keyHash }, 2)).toMatchObject({ isAdmitted: true, remaining: 0 });
    expect(await usage()).toMatchObject({ requests: 1 });
  });
});

describe('a key that replaces another one', () => {
  const replacing = () => ({ keyId, keyHash: randomBytes(32).toString('hex') });

  it('has what is left of the limit of the record, at every gateway, and counts for itself', async () => {
    let now = Date.now();
    const [first, second] = await gateways(() => now);
    for (const _request of [1, 2, 3]) await first?.take({ keyId, keyHash }, 4);
    // The keys service deletes the usage of the old key.
    await bucket.purge(keyHash);
    const key = replacing();
    expect(await second?.take(key, 4)).toMatchObject({ isAdmitted: true, remaining: 0 });
    expect(await first?.take(key, 4)).toMatchObject({ isAdmitted: false });
    expect(await first?.take(replacing(), 4)).toMatchObject({ isAdmitted: false });
    ({ keyHash } = key);
    expect(await usage()).toMatchObject({ requests: 1 });
    now += 60_000;
    expect(await first?.take(key, 4)).toMatchObject({ isAdmitted: true, remaining: 3 });
  });

  it('shares nothing with keys of other records', async () => {
    const [meter] = await gateways();
    await meter?.take({ keyId, keyHash }, 1);
    const other = { ...replacing(), keyId: keyId + 1_000 };
    expect((await meter?.take(other, 1))?.isAdmitted).toBe(true);
  });
});

describe('a gateway whose clock is wrong', () => {
  const hourMs = 60 * 60 * 1_000;

  it.each([hourMs, 10_000])('by %i ms ahead fills the window of the others for a minute at most', async (aheadMs) => {
    let now = Date.now();
    const [right] = await gateways(() => now);
    const [wrong] = await gateways(() => now + aheadMs);
    for (const _request of [1, 2]) expect(await wrong?.take({ keyId, keyHash }, 2)).toMatchObject({ isAdmitted: true });
    const refused = await right?.take({ keyId, keyHash }, 2);
    expect(refused?.isAdmitted).toBe(false);
    expect(refused?.resetSeconds).toBeLessThanOrEqual(60);
    now += 66_000;
    expect(right?.isFull(keyHash, 2)).toBe(false);
    expect(await right?.take({ keyId, keyHash }, 2)).toMatchObject({ isAdmitted: true, remaining: 1 });
  });

  it.each([61_000, hourMs])('by %i ms ahead takes no request of the others out of the window', async (aheadMs) => {
    const [right] = await gateways();
    const [wrong] = await gateways(() => Date.now() + aheadMs, Date.now);
    let admitted = 0;
    for (let request = 0; request < 20; request += 1) {
      const meter = request % 2 === 0 ? wrong : right;
      if ((await meter?.take({ keyId, keyHash }, 5))?.isAdmitted) admitted += 1;
    }
    expect(admitted).toBe(5);
  });

  it('by an hour behind takes no request of the others out of the window, and is not stopped for an hour', async () => {
    let now = Date.now();
    const [right] = await gateways(() => now);
    const [wrong] = await gateways(
      () => now - hourMs,
      () => now,
    );
    for (const _request of [1, 2]) await right?.take({ keyId, keyHash }, 4);
    for (const _request of [1, 2]) expect(await wrong?.take({ keyId, keyHash }, 4)).toMatchObject({ isAdmitted: true });
    for (const meter of [right, wrong]) {
      expect(await meter?.take({ keyId, keyHash }, 4)).toMatchObject({ isAdmitted: false });
    }
    now += 61_000;
    expect(await wrong?.take({ keyId, keyHash }, 4)).toMatchObject({ isAdmitted: true });
  });

  it('by an hour behind has its own requests counted by the others, also of a key that nobody has used before', async () => {
    const [right] = await gateways();
    const [wrong] = await gateways(() => Date.now() - hourMs, Date.now);
    let admitted = 0;
    for (const meter of [wrong, right, wrong]) {
      for (let request = 0; request < 10; request += 1)
        if ((await meter?.take({ keyId, keyHash }, 5))?.isAdmitted) admitted += 1;
    }
    expect(admitted).toBe(5);
  });

  it('that is put back is not stopped by what it has counted itself', async () => {
    let now = Date.now() + hourMs;
    const [meter] = await gateways(() => now);
    await meter?.take({ keyId, keyHash }, 1);
    now -= hourMs;
    expect(await meter?.take({ keyId, keyHash }, 1)).toMatchObject({ isAdmitted: false });
    now += 66_000;
    expect(await meter?.take({ keyId, keyHash }, 1)).toMatchObject({ isAdmitted: true });
  });
});

describe('a gateway whose clock is put right', () => {
  const hourMs = 60 * 60 * 1_000;
  const lastUsedMs = async () => Date.parse((await usage()).lastUsedAt);

  it('after it was behind counts by the right time', async () => {
    let behindMs = hourMs;
    const [right] = await gateways();
    const [wrong] = await gateways(() => Date.now() - behindMs, Date.now);
    await right?.take({ keyId, keyHash }, 3);
    await wrong?.take({ keyId, keyHash }, 3);
    behindMs = 0;
    expect(await wrong?.take({ keyId, keyHash }, 3)).toMatchObject({ isAdmitted: true, remaining: 0 });
    expect(await wrong?.take({ keyId, keyHash }, 3)).toMatchObject({ isAdmitted: false });
    expect(await lastUsedMs()).toBeLessThanOrEqual(Date.now());
  });

  it('after it was ahead leaves no last use in the future', async () => {
    let aheadMs = 10 * 365 * 24 * hourMs;
    const [meter] = await gateways(() => Date.now() + aheadMs, Date.now);
    await meter?.take({ keyId, keyHash }, 2);
    aheadMs = 0;
    expect(await meter?.take({ keyId, keyHash }, 2)).toMatchObject({ isAdmitted: true, remaining: 0 });
    expect(await lastUsedMs()).toBeLessThanOrEqual(Date.now());
  });

  it('with that of the server, after both were ahead, counts by the right time', async () => {
    const store = await openStore(connections[0] as NatsConnection);
    const now = Date.now();
    const ahead = { requests: 1, lastUsedAt: new Date(now + hourMs).toISOString(), recent: [[now + hourMs, 1]] };
    await bucket.put(keyHash, JSON.stringify(ahead));
    const read: UsageStore['read'] = async (key) => {
      const { revision } = await store.read(key);
      return { usage: keyUsageSchema.parse(ahead), revision, writtenMs: now + hourMs };
    };
    const meter = createKeyMeter({ store: { ...store, read }, clock: Date.now });
    expect(await meter.take({ keyId, keyHash }, 2)).toMatchObject({ isAdmitted: true, remaining: 0 });
    expect(await meter.take({ keyId, keyHash }, 2)).toMatchObject({ isAdmitted: false });
    expect(await lastUsedMs()).toBeLessThanOrEqual(Date.now());
  });
});

describe('while NATS may store no more', () => {
  let maxStoreBytes: number | undefined;
  let small: NatsConnection;
  let stop: () => Promise<void>;
  let setLimit: (bytes?: number) => Promise<void>;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mneme-test-small-'));
    const launch: typeof natsDefinition.launch = (settings) => natsDefinition.launch({ ...settings, maxStoreBytes });
    const server = await createTestServer({ definition: { ...natsDefinition, launch }, folder: join(folder, 'nats') });
    await server.start();
    stop = () => server.stop();
    small = await connect({ servers: server.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    setLimit = async (bytes) => {
      maxStoreBytes = bytes;
      await server.restart();
      await waitUntil(async () => (await small.rtt().catch(() => undefined)) !== undefined, 20_000);
    };
    return async () => {
      await small.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    };
  });

  it('what was counted is kept while NATS is restarted with more room', async () => {
    const now = Date.now();
    const meter = createKeyMeter({ store: await openStore(small), clock: () => now });
    const take = () => meter.take({ keyId, keyHash }, 5);
    await take();
    await setLimit(1);
    for (let count = 0; count < 3; count += 1) await take();
    await stop();
    await expect(take()).rejects.toThrow();
    await setLimit(undefined);
    await take();
    const record = await (await new Kvm(small).open('key-usage')).get(keyHash);
    expect(keyUsageSchema.parse(record?.json())).toMatchObject({ requests: 5 });
  });

  it('a gateway whose clock is behind limits a key as well', async () => {
    await createKeyMeter({ store: await openStore(small), clock: Date.now }).take({ keyId, keyHash }, 3);
    const meter = createKeyMeter({ store: await openStore(small), clock: () => Date.now() - 10_000 });
    await setLimit(1);
    const admitted: boolean[] = [];
    for (let count = 0; count < 5; count += 1) admitted.push((await meter.take({ keyId, keyHash }, 3)).isAdmitted);
    expect(admitted).toEqual([true, true, false, false, false]);
    await setLimit(undefined);
  });

  it('a key is counted and limited by each gateway, and its record has all of it when there is room again', async () => {
    let now = Date.now();
    const open = async () => ({ ...(await openStore(small)), serverTime: async () => now });
    const meter = createKeyMeter({ store: await open(), clock: () => now });
    const take = () => meter.take({ keyId, keyHash }, 3);
    const stored = async () =>
      keyUsageSchema.parse((await (await new Kvm(small).open('key-usage')).get(keyHash))?.json());
    await take();
    await setLimit(1);
    expect(await take()).toMatchObject({ isAdmitted: true, remaining: 1 });
    expect(await take()).toMatchObject({ isAdmitted: true, remaining: 0 });
    expect(await take()).toMatchObject({ isAdmitted: false });
    expect(meter.isFull(keyHash, 3)).toBe(true);
    expect(await stored()).toMatchObject({ requests: 1 });
    // As any other gateway, which has not used the key yet.
    const other = createKeyMeter({ store: await open(), clock: () => now });
    expect(await other.take({ keyId, keyHash }, 3)).toMatchObject({ isAdmitted: true, remaining: 1 });
    now += 60_000;
    await setLimit(undefined);
    expect(await take()).toMatchObject({ isAdmitted: true });
    expect(await stored()).toMatchObject({ requests: 4 });
  });
});

describe('a record that cannot be written', () => {
  const stored = { usage: undefined, revision: 0 };
  const serverTime = async () => Date.now();

  it('because other gateways are always first is 503 after some tries', async () => {
    let tries = 0;
    const store: UsageStore = {
      serverTime,
      read: async () => stored,
      write: async () => {
        tries += 1;
        return undefined;
      },
    };
    const meter = createKeyMeter({ store, clock: Date.now });
    await expect(meter.take({ keyId, keyHash }, 5)).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(50);
  });

  it('because the log is away fails all waiting requests, and the next one tries again', async () => {
    let isAway = true;
    const store: UsageStore = {
      serverTime,
      read: async () => stored,
      write: async () => {
        if (isAway) throw new Error('away');
        return 1;
      },
    };
    const meter = createKeyMeter({ store, clock: Date.now });
    const results = await Promise.allSettled([1, 2, 3].map(() => meter.take({ keyId, keyHash }, 5)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    isAway = false;
    expect((await meter.take({ keyId, keyHash }, 5)).isAdmitted).toBe(true);
  });
});
