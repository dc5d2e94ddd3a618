import type { DomainEvent } from '@mneme/contracts';
import { bucketCheckpoint } from '@mneme/contracts';
import { connectEventStore, deadLetters, ensureStream, writeDeadLetter } from '@mneme/event-store';
import { jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { describe } from 'vitest';
import { z } from 'zod';
import {
  catalog,
  context,
  logger,
  olderCatalogs,
  it as systemIt,
  type TestEvent,
  type TestSystem,
} from '../testing/test-read-model.ts';
import { KeptBucket } from './kept-bucket.ts';
import type { RecordRules } from './record-rules.ts';

const sumSchema = z.object({ sum: z.number(), sequence: z.int() });
type Sum = z.infer<typeof sumSchema>;

const rules: RecordRules<TestEvent, Sum> = {
  types: ['Counted', 'Noted'],
  keysOf: () => [],
  change: () => new Map(),
  hasEnded: () => false,
};

/** Sums by the last token of the subject; `keysOf` cannot see the subject, so that the events say it themselves. */
const sumRules: RecordRules<TestEvent, Sum> = {
  ...rules,
  keysOf: (event) => [keyOf(event)],
  change: (event, record) => {
    const key = keyOf(event);
    const n = event.type === 'Counted' ? event.data.n : 0;
    if (n === 13) throw new Error('thirteen');
    return new Map([[key, { sum: (record(key)?.sum ?? 0) + n, sequence: event.position.sequence }]]);
  },
};

function keyOf(event: DomainEvent): string {
  const { subject } = event as unknown as { subject: string };
  return subject.split('.')[1] ?? '';
}

/** A bucket of its own for a test, and the instances that keep it. */
const it = systemIt.extend('kept', async ({ system }, { onCleanup }) => {
  const { client, db, stream, connection: reading } = system.parts;
  const name = `sums-${stream}`;
  const running: { stop(): Promise<void> }[] = [];
  onCleanup(async () => {
    for (const each of running) await each.stop();
  });
  const start = async (change: { catalog?: typeof catalog; form?: number; rules?: typeof sumRules } = {}) => {
    const connection = await system.parts.connectTo();
    const bucket = await KeptBucket.start<TestEvent, Sum>(
      { connection, client, db, replicas: 1, logger },
      {
        name,
        description: 'A test',
        history: 1,
        stream,
        catalog,
        schema: sumSchema,
        rules: sumRules,
        ...change,
        aggregateOf: ({ subject }) => subject,
      },
    );
    running.push(bucket);
    return bucket;
  };
  const entry = async <T>(key: string): Promise<T | undefined> => {
    const found = await (await new Kvm(reading).open(name, { allow_direct: false })).get(key);
    return found?.operation === 'PUT' ? found.json<T>() : undefined;
  };
  return {
    name,
    start,
    entry,
    sumOf: async (key: string) => (await entry<Sum>(key))?.sum,
    drop: async () => (await jetstreamManager(reading)).streams.delete(`KV_${name}`),
  };
});

describe.concurrent('a bucket', () => {
  it('is filled from the log, kept up to date, and goes on where it was', async ({ system, kept, expect }) => {
    const { start, sumOf } = kept;
    await system.count('a', 1);
    const first = await start();
    expect(await first.awaitEvent(await system.count('a', 10), 5_000)).toBe(true);
    expect(await sumOf('a')).toBe(11);
    await first.stop();
    await system.count('a', 100);
    const second = await start();
    expect(await second.awaitEvent(await system.count('b', 5), 5_000)).toBe(true);
    expect([await sumOf('a'), await sumOf('b')]).toEqual([111, 5]);
  });

  it('keeps with its checkpoint which log it belongs to', async ({ system, kept, expect }) => {
    const { start, entry } = kept;
    const bucket = await start();
    const sequence = await system.count('a', 1);
    await bucket.await(sequence, 5_000);
    const { created } = await (await jetstreamManager(system.parts.connection)).streams.info(system.parts.stream);
    const lastEvent = { sequence, id: expect.any(String) };
    expect(await entry(bucketCheckpoint)).toMatchObject({ sequence, log: String(created), lastEvent });
  });

  it('with records of an earlier form is rebuilt in place, once, and again when the earlier release was back', async ({
    system,
    kept,
    expect,
  }) => {
    const { start, entry, sumOf } = kept;
    const before = await start();
    await before.await(await system.count('a', 5), 5_000);
    await before.stop();
    const tenfold: typeof sumRules = {
      ...sumRules,
      change: (event, record) => {
        const key = keyOf(event);
        const n = event.type === 'Counted' ? event.data.n : 0;
        return new Map([[key, { sum: (record(key)?.sum ?? 0) + 10 * n, sequence: event.position.sequence }]]);
      },
    };
    const after = await start({ form: 2, rules: tenfold });
    expect(after.readiness()).toBe(true);
    await expect.poll(async () => (await entry<{ form: number }>(bucketCheckpoint))?.form).toBe(2);
    expect(await sumOf('a')).toBe(50);
    expect(await after.await(await system.count('a', 1), 5_000)).toBe(true);
    expect([await sumOf('a'), (await entry<{ form: number }>(bucketCheckpoint))?.form]).toEqual([60, 2]);
    expect((await after.rebuild()).changed).toBe(0);
    await after.stop();
    const back = await start();
    await back.await(await system.count('b', 5), 5_000);
    expect(await entry(bucketCheckpoint)).toMatchObject({ form: 1 });
    await back.stop();
    await start({ form: 2, rules: tenfold });
    await expect.poll(() => entry(bucketCheckpoint)).toMatchObject({ form: 2 });
    expect([await sumOf('a'), await sumOf('b')]).toEqual([60, 50]);
  });

  it('that is deleted while it runs is filled again by itself, and says so meanwhile', async ({
    system,
    kept,
    expect,
  }) => {
    const { start, sumOf, drop } = kept;
    const bucket = await start();
    for (let n = 1; n <= 10; n += 1) await bucket.await(await system.count('ab'.charAt(n % 2), n), 5_000);
    expect(bucket.readiness()).toBe(true);
    await drop();
    await expect
      .poll(() => bucket.readiness(), { timeout: 10_000, interval: 5 })
      .toMatch(/is gone; it is being filled/);
    await expect.poll(() => bucket.readiness(), { timeout: 10_000 }).toBe(true);
    expect([await sumOf('a'), await sumOf('b')]).toEqual([30, 25]);
    expect(await bucket.await(await system.count('a', 1), 5_000)).toBe(true);
    expect(await sumOf('a')).toBe(31);
  });

  it('that is deleted and made again empty by another process is filled again', async ({ system, kept, expect }) => {
    const { name, start, sumOf, drop } = kept;
    const bucket = await start();
    await bucket.await(await system.count('a', 7), 5_000);
    await drop();
    await new Kvm(system.parts.connection).create(name, { history: 1 });
    await expect.poll(() => sumOf('a'), { timeout: 10_000 }).toBe(7);
    await expect.poll(() => bucket.readiness(), { timeout: 10_000 }).toBe(true);
  });

  it('is filled again from a log that is another one, and keeps nothing of the old one', async ({
    system,
    kept,
    expect,
  }) => {
    const { start, sumOf } = kept;
    const bucket = await start();
    for (const key of ['a', 'b', 'c']) await bucket.await(await system.count(key, 5), 5_000);
    const { connection, stream } = system.parts;
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { config } = await manager.streams.info(stream);
    await manager.streams.delete(stream);
    await ensureStream(connection, { name: stream, subjects: [...config.subjects], replicas: 1 });
    const store = connectEventStore({ connection, stream, catalog, source: 'test' });
    // Of the same sequences, and of none that is greater.
    await store.append(`${stream}.a`, [{ type: 'Counted', data: { n: 70 } }], 'any', context);
    await expect.poll(() => sumOf('a'), { timeout: 15_000 }).toBe(70);
    await expect.poll(() => bucket.readiness(), { timeout: 10_000 }).toBe(true);
    expect([await sumOf('b'), await sumOf('c')]).toEqual([undefined, undefined]);
    const { sequence } = await store.append(`${stream}.a`, [{ type: 'Counted', data: { n: 1 } }], 'any', context);
    expect(await bucket.await(sequence, 5_000)).toBe(true);
    expect(await sumOf('a')).toBe(71);
  });

  it('goes on when the database with its leases is lost', async ({ system, kept, expect }) => {
    const { start, sumOf } = kept;
    const bucket = await start();
    await bucket.await(await system.count('a', 1), 5_000);
    await system.parts.db.dropDatabase();
    const held = system.parts.db.collection('read_model_leases');
    await expect.poll(() => held.countDocuments({ holder: { $ne: null } }), { timeout: 20_000 }).toBe(1);
    expect(await bucket.await(await system.count('b', 1), 10_000)).toBe(true);
    expect([await sumOf('a'), await sumOf('b')]).toEqual([1, 1]);
  });

  describe('whose deferrals are lost with MongoDB', () => {
    const dropped = async (system: TestSystem) => {
      await system.parts.db.dropDatabase();
      return system.parts.db.collection('read_model_deferrals');
    };

    it.for(['runs', 'is stopped'])(
      'while it %s is filled again, and what cannot be applied waits again',
      async (state, { system, kept, expect }) => {
        const { start, sumOf } = kept;
        const bucket = await start();
        await bucket.await(await system.count('a', 1), 5_000);
        const bad = await system.count('a', 13);
        await expect.poll(() => bucket.status()[0]?.deferrals, { timeout: 10_000 }).toHaveLength(1);
        if (state === 'is stopped') await bucket.stop();
        const deferrals = await dropped(system);
        const now = state === 'is stopped' ? await start() : bucket;
        await expect.poll(() => deferrals.countDocuments(), { timeout: 20_000 }).toBe(1);
        await expect.poll(() => now.readiness(), { timeout: 20_000 }).toBe(true);
        expect(await now.await(await system.count('a', 100), 10_000)).toBe(true);
        expect(now.status()[0]?.deferrals).toMatchObject([{ from: bad, reason: 'thirteen' }]);
        expect(await sumOf('a')).toBe(1);
      },
    );

    it('is told by its checkpoint, which one of an earlier release does not say and is given', async ({
      system,
      kept,
      expect,
    }) => {
      const { name, start, entry, sumOf } = kept;
      const bucket = await start();
      await bucket.await(await system.count('a', 1), 5_000);
      await bucket.stop();
      const { deferrals, ...earlier } = (await entry<Record<string, unknown>>(bucketCheckpoint)) ?? {};
      expect(deferrals).toEqual(expect.any(String));
      const kv = await new Kvm(system.parts.connection).open(name);
      await kv.put(bucketCheckpoint, JSON.stringify(earlier));
      // Which no event says, so that it shows whether the bucket is filled again.
      await kv.put('c', JSON.stringify({ sum: 7, sequence: 1 }));
      const later = await start();
      expect(await later.await(await system.count('b', 1), 10_000)).toBe(true);
      expect(await sumOf('c')).toBe(7);
      expect(await entry(bucketCheckpoint)).toMatchObject({ deferrals });
    });
  });

  it('that is stopped while it is being filled lets no one wait any longer', async ({ system, kept, expect }) => {
    const { start, drop } = kept;
    const { db } = system.parts;
    const bucket = await start();
    await bucket.await(await system.count('a', 13), 5_000);
    // It cannot be filled without writing down what it could not apply.
    await db.command({ collMod: 'read_model_deferrals', validator: { aggregate: { $exists: false } } });
    await drop();
    await expect.poll(() => bucket.readiness(), { timeout: 10_000, interval: 5 }).toMatch(/being filled|validation/);
    const deadline = Date.now() + 3_000;
    const answer = bucket.await(await system.count('b', 1), deadline - Date.now());
    await bucket.stop();
    expect(await answer).toBe(false);
    expect(Date.now()).toBeLessThan(deadline);
  });

  it('is shared by several instances', async ({ system, kept, expect }) => {
    const { start, sumOf, drop } = kept;
    const [first, second] = [await start(), await start()];
    const last = await system.count('a', 3);
    expect(await Promise.all([first.await(last, 5_000), second.await(last, 5_000)])).toEqual([true, true]);
    await drop();
    await expect.poll(() => sumOf('a'), { timeout: 10_000 }).toBe(3);
    await first.stop();
    const later = await system.count('a', 4);
    expect(await second.await(later, 10_000)).toBe(true);
    expect(await sumOf('a')).toBe(7);
  });

  it('dead-letters an event that it cannot apply, and holds up no other aggregate', async ({
    system,
    kept,
    expect,
  }) => {
    const { start, sumOf } = kept;
    const bucket = await start();
    await bucket.await(await system.count('a', 1), 5_000);
    const bad = await system.count('a', 13);
    const other = await system.count('b', 5);
    expect(await bucket.awaitEvent(other, 10_000)).toBe(true);
    await expect(bucket.awaitEvent(bad, 5_000)).rejects.toMatchObject({ status: 503, code: 'READ_MODEL_BEHIND' });
    const aggregate = `${system.parts.stream}.a`;
    expect(bucket.status()[0]?.deferrals).toMatchObject([{ aggregate, from: bad, reason: 'thirteen' }]);
    const last = await system.count('a', 100);
    await bucket.retry(1, aggregate, bad);
    expect(await bucket.awaitEvent(last, 5_000)).toBe(true);
    expect([await sumOf('a'), await sumOf('b')]).toEqual([101, 5]);
  });

  it('keeps, in a rebuild, a record that follows from events after one that was discarded', async ({
    system,
    kept,
    expect,
  }) => {
    const { start, sumOf } = kept;
    const bucket = await start();
    const bad = await system.count('a', 13);
    await expect.poll(() => bucket.status()[0]?.deferrals).toHaveLength(1);
    await bucket.retry(1, `${system.parts.stream}.a`, bad);
    expect(await bucket.awaitEvent(await system.count('a', 100), 5_000)).toBe(true);
    expect(await bucket.rebuild()).toMatchObject({ unverified: 1 });
    expect(await sumOf('a')).toBe(100);
  });

  it.for(['type', 'version'] as const)(
    'is filled without events whose %s a newer release has',
    async (lacking, { system, kept, expect }) => {
      const { start, sumOf } = kept;
      await system.count('a', 1);
      await system.append('a', { type: 'Noted', data: { text: 'new' } });
      await system.count('b', 2);
      const older = await start({ catalog: olderCatalogs[lacking] });
      expect([await sumOf('a'), await sumOf('b')]).toEqual([1, 2]);
      const waiting = { aggregate: `${system.parts.stream}.a`, kind: 'unknown-type', type: 'Noted' };
      await expect.poll(() => older.status()[0]?.deferrals).toMatchObject([waiting]);
      await older.stop();
      await system.count('a', 4);
      const newer = await start();
      await expect.poll(() => sumOf('a'), { timeout: 15_000 }).toBe(5);
      await expect.poll(() => newer.status()[0]?.deferrals, { timeout: 10_000 }).toEqual([]);
    },
  );

  it('is filled no sooner than what it could not apply is known to operators', async ({ system, kept, expect }) => {
    const { start, entry } = kept;
    const { connection, db, stream } = system.parts;
    await system.count('a', 1);
    const bad = await system.count('a', 13);
    await db.createCollection('read_model_deferrals', { validator: { aggregate: { $exists: false } } });
    const starting = start();
    const letters = async () => {
      const { entries: found } = await deadLetters(connection).page(1, 100, 1e6);
      return found.filter(({ position }) => position.stream === stream).map(({ position }) => position.sequence);
    };
    // The deferral is written after it, which fails, as in a crash in between.
    await expect.poll(letters, { timeout: 5_000 }).toEqual([bad]);
    expect(await entry(bucketCheckpoint)).toBeUndefined();
    await db.command({ collMod: 'read_model_deferrals', validator: {} });
    const bucket = await starting;
    const aggregate = `${stream}.a`;
    await expect
      .poll(() => bucket.status()[0]?.deferrals)
      .toMatchObject([{ aggregate, from: bad, reason: 'thirteen' }]);
    expect(await letters()).toEqual([bad]);
    await bucket.retry(1, aggregate, bad);
    expect(bucket.status()[0]?.deferrals).toEqual([]);
  });

  it('that is filled again keeps the dead letters of what still cannot be applied, and no others', async ({
    system,
    kept,
    expect,
  }) => {
    const { name, start, sumOf, drop } = kept;
    const { connection, stream } = system.parts;
    const bad = await system.count('a', 13);
    const bucket = await start();
    await expect.poll(() => bucket.status()[0]?.deferrals).toHaveLength(1);
    const by = `${name}-bucket@1`;
    const other = { stream, sequence: await system.count('b', 1), subject: `${stream}.b`, headers: undefined };
    await writeDeadLetter(
      connection,
      { ...other, data: new Uint8Array() },
      { by, reason: 'it could not be read then' },
    );
    await drop();
    await expect.poll(() => sumOf('b'), { timeout: 10_000 }).toBe(1);
    await expect.poll(() => bucket.readiness(), { timeout: 10_000 }).toBe(true);
    const { entries: found } = await deadLetters(connection).page(1, 100, 1e6);
    const left = found.filter((letter) => letter.by === by).map(({ position }) => position.sequence);
    expect(left).toEqual([bad]);
  });
});
