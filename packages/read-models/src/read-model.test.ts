import { setTimeout as pause } from 'node:timers/promises';
import { connectEventStore } from '@mneme/event-store';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReadModel } from './read-model.ts';
import { catalog, context, logger, olderCatalog, startBench, type TestSystem } from './testing/test-read-model.ts';

let bench: Awaited<ReturnType<typeof startBench>>;
let system: TestSystem;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench?.stop());
beforeEach(async () => {
  system = await bench.open();
});
afterEach(() => system.stop());

async function until(condition: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  for (const deadline = Date.now() + withinMs; !(await condition()); await pause(20)) {
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${condition}`);
  }
}

type Sums = Awaited<ReturnType<TestSystem['start']>>;
const sumOf = async (readModel: Sums, aggregate: string) =>
  (await readModel.contents().sums.findOne({ _id: aggregate }))?.sum;

describe('a read model', () => {
  it('applies what is in the log, and what comes', async () => {
    await system.count('a', 1);
    const before = await system.count('b', 2);
    const readModel = await system.start();
    expect(await readModel.await(before, 5_000)).toBe(true);
    const after = await system.count('a', 10);
    expect(await readModel.await(after, 5_000, 'a')).toBe(true);
    expect([await sumOf(readModel, 'a'), await sumOf(readModel, 'b')]).toEqual([11, 2]);
  });

  it('goes on at its checkpoints when it is started again, and applies nothing twice', async () => {
    const first = await system.start();
    for (let n = 1; n <= 20; n += 1) await system.count('abcd'.charAt(n % 4), n);
    await first.stop();
    for (let n = 1; n <= 20; n += 1) await system.count('abcd'.charAt(n % 4), n);
    const second = await system.start();
    await second.await(await system.count('a', 1), 5_000);
    const rows = await second.contents().sums.find().toArray();
    expect(rows.reduce((sum, row) => sum + row.sum, 0)).toBe(421);
    expect(rows.flatMap(({ sequences }) => sequences).sort((left, right) => left - right)).toEqual(
      Array.from({ length: 41 }, (_, index) => index + 1),
    );
  });

  it('lets a lane that fails hold up no other', async () => {
    const readModel = await system.start();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    system.faults.beforeWrite = async (events) => {
      if (events.some(({ subject }) => subject.endsWith('.a'))) await released;
    };
    await system.count('a', 1);
    const other = await system.count('b', 2);
    expect(await readModel.await(other, 2_000, 'b')).toBe(true);
    expect(await readModel.await(other, 200)).toBe(false);
    release();
    expect(await readModel.await(other, 5_000)).toBe(true);
  });

  it('loses no event that comes after work which was left to do has failed', async () => {
    let failures = 0;
    system.faults.maintenance = {
      isDue: () => failures === 0,
      step: async () => {
        failures += 1;
        throw new Error('Not now');
      },
    };
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    system.faults.beforeWrite = () => released;
    const readModel = await system.start();
    await until(() => failures === 1);
    // The lane that has failed is the first that is free.
    const aggregate = ['a', 'b', 'c', 'd'].find((each) => each.charCodeAt(0) % 4 === 0) ?? '';
    const sequence = await system.count(aggregate, 1);
    // Longer than it waits after a failure, and until idle lanes are written down.
    let isTakenForApplied = false;
    for (let rounds = 0; rounds < 70 && !isTakenForApplied; rounds += 1) {
      isTakenForApplied = await readModel.await(sequence, 0, aggregate);
      await pause(100);
    }
    release();
    expect(isTakenForApplied).toBe(false);
    expect(await readModel.await(sequence, 5_000, aggregate)).toBe(true);
    expect(await sumOf(readModel, aggregate)).toBe(1);
  }, 30_000);

  it('moves over sequences whose events were erased', async () => {
    const readModel = await system.start();
    const { connection, stream } = system.parts;
    await system.count('a', 1);
    const last = await system.count('a', 2);
    await readModel.await(last, 5_000);
    await readModel.stop();
    const erased = await system.count('a', 3);
    const manager = await jetstreamManager(connection, { checkAPI: false });
    await manager.streams.deleteMessage(stream, erased, true);
    const again = await system.start();
    expect(await again.await(erased, 5_000)).toBe(true);
    expect(await sumOf(again, 'a')).toBe(3);
  });
});

describe('an event that cannot be applied', () => {
  const failFor = (aggregate: string, n: number) => {
    system.faults.beforeWrite = (events) => {
      const isBad = events.some((e) => e.subject.endsWith(`.${aggregate}`) && e.type === 'Counted' && e.data.n === n);
      if (isBad) throw new TypeError('told to fail');
    };
  };

  it('is dead-lettered within seconds, and all others go on, also in its lane', async () => {
    const readModel = await system.start();
    failFor('a', 13);
    await system.count('a', 1);
    await system.count('a', 13);
    await system.count('a', 2);
    const other = await system.count('e', 5);
    expect(await readModel.await(other, 5_000, 'e')).toBe(true);
    expect([await sumOf(readModel, 'a'), await sumOf(readModel, 'e')]).toEqual([1, 5]);
    expect(() => readModel.assertCurrent('a')).toThrow(
      expect.objectContaining({ status: 503, code: 'READ_MODEL_BEHIND' }),
    );
    expect(readModel.assertCurrent('e')).toBeUndefined();
    const [status] = readModel.status();
    expect(status?.deferrals).toMatchObject([{ aggregate: 'a', kind: 'failed', reason: 'told to fail' }]);
  });

  it('is applied by a retry with what came after it, also after a restart', async () => {
    const first = await system.start();
    failFor('a', 13);
    await system.count('a', 1);
    const bad = await system.count('a', 13);
    const last = await system.count('a', 2);
    await first.await(last, 5_000, 'e');
    await until(() => first.status()[0]?.deferrals.length === 1);
    await expect(first.retry(1, 'a')).rejects.toThrow('told to fail');
    await first.stop();
    const second = await system.start();
    await expect(second.await(bad, 5_000, 'a')).rejects.toMatchObject({ code: 'READ_MODEL_BEHIND' });
    system.faults.beforeWrite = () => undefined;
    await second.retry(1, 'a');
    const after = await system.count('a', 100);
    expect(await second.await(after, 5_000, 'a')).toBe(true);
    expect(await second.contents().sums.findOne({ _id: 'a' })).toMatchObject({ sum: 116, sequences: [1, 2, 3, 4] });
  });

  it('can be left out for good', async () => {
    const readModel = await system.start();
    failFor('a', 13);
    const bad = await system.count('a', 13);
    await system.count('a', 2);
    await until(() => readModel.status()[0]?.deferrals.length === 1);
    await readModel.retry(1, 'a', bad);
    expect(await sumOf(readModel, 'a')).toBe(2);
  });

  it('waits no longer when an event makes everything before it irrelevant', async () => {
    const readModel = await system.start();
    failFor('a', 13);
    await system.count('a', 13);
    await until(() => readModel.status()[0]?.deferrals.length === 1);
    await system.append('a', { type: 'Ended', data: {} });
    const last = await system.count('a', 4);
    await until(() => readModel.status()[0]?.deferrals.length === 0);
    await readModel.await(last, 5_000, 'a');
    expect(await sumOf(readModel, 'a')).toBe(4);
  });

  it('is dead-lettered when it cannot be read', async () => {
    const readModel = await system.start();
    const { connection, stream } = system.parts;
    await connection.request(`${stream}.a`, 'no event at all');
    const other = await system.count('e', 5);
    expect(await readModel.await(other, 5_000, 'e')).toBe(true);
    expect(readModel.status()[0]?.deferrals).toMatchObject([{ aggregate: 'a', kind: 'unreadable' }]);
  });

  it('waits for a release that knows its type, and is applied by that without being asked', async () => {
    const older = await system.start({ catalog: olderCatalog as typeof catalog, types: ['Counted', 'Ended'] });
    await system.append('a', { type: 'Noted', data: { text: 'new' } });
    await system.count('a', 2);
    const other = await system.count('e', 5);
    expect(await older.await(other, 5_000, 'e')).toBe(true);
    expect(older.status()[0]?.deferrals).toMatchObject([{ aggregate: 'a', kind: 'unknown-type', type: 'Noted' }]);
    const newer = await system.start();
    await until(async () => (await newer.contents().sums.findOne({ _id: 'a' }))?.sequences.length === 2);
    await until(() => newer.status()[0]?.deferrals.length === 0);
  });

  it('is not blamed for a store that fails for everything', async () => {
    const readModel = await system.start();
    system.faults.beforeWrite = () => {
      throw new Error('the disk is full');
    };
    const aggregates = [...'abcdefghijkl'];
    for (const aggregate of aggregates) await system.count(aggregate, 1);
    await until(() => (readModel.status()[0]?.deferrals.length ?? 0) >= 3);
    await pause(3_000);
    expect(readModel.status()[0]?.deferrals.length).toBeLessThanOrEqual(6);
    expect(readModel.readiness()).toMatch('the disk is full');
    system.faults.beforeWrite = () => undefined;
    const last = await system.count('z', 1);
    expect(await readModel.await(last, 20_000)).toBe(true);
    for (const { aggregate } of readModel.status()[0]?.deferrals ?? []) await readModel.retry(1, aggregate);
    expect(await readModel.contents().sums.countDocuments()).toBe(aggregates.length + 1);
  });
});

describe('several instances', () => {
  const startOther = async () => {
    const { client, db } = system.parts;
    const connection = await bench.connectTo();
    return ReadModel.start({ connection, client, db, logger }, system.definition());
  };

  it('share the lanes, wait for each other, and take over', async () => {
    const first = await system.start();
    const second = await startOther();
    await until(() => second.status()[0]?.lanes.length === 2 && first.status()[0]?.lanes.length === 2);
    const sequences = await Promise.all([...'abcd'].map((aggregate) => system.count(aggregate, 7)));
    const last = Math.max(...sequences);
    expect(await Promise.all([first.await(last, 5_000), second.await(last, 5_000)])).toEqual([true, true]);
    expect(await first.contents().sums.countDocuments({ sum: 7 })).toBe(4);
    await second.stop();
    await until(() => first.status()[0]?.lanes.length === 4);
    const more = await Promise.all([...'abcd'].map((aggregate) => system.count(aggregate, 1)));
    expect(await first.await(Math.max(...more), 10_000)).toBe(true);
    expect(await first.contents().sums.countDocuments({ sum: 8 })).toBe(4);
  });

  it('start at once on an empty database and serve one version', async () => {
    const all = await Promise.all([system.start(), system.start(), startOther()]);
    const last = await system.count('a', 1);
    expect(await Promise.all(all.map((each) => each.await(last, 10_000, 'a')))).toEqual([true, true, true]);
    expect(new Set(all.map(({ version }) => version)).size).toBe(1);
    await all[2]?.stop();
  });
});

describe('while servers are killed', () => {
  it('two instances apply everything once and in order', async () => {
    const { client, db } = system.parts;
    const first = await system.start();
    const connection = await bench.connectTo();
    const second = await ReadModel.start({ connection, client, db, logger }, system.definition());
    const { nats, mongod } = bench.stack.servers;
    const count = async (n: number) => {
      for (;;) {
        const counted = await system.count('abcd'.charAt(n % 4), n).catch(() => undefined);
        if (counted !== undefined) return counted;
        await pause(100);
      }
    };
    let last = 0;
    for (let n = 1; n <= 120; n += 1) {
      last = await count(n);
      if (n === 40) await mongod.kill().then(() => mongod.start());
      if (n === 80) await nats.kill().then(() => nats.start());
    }
    expect(await first.await(last, 60_000)).toBe(true);
    await until(async () => (await first.contents().sums.find().toArray()).length === 4);
    const rows = await first.contents().sums.find().toArray();
    const sequences = rows.flatMap((row) => row.sequences);
    expect(new Set(sequences).size).toBe(sequences.length);
    for (const row of rows) expect(row.sequences).toEqual([...row.sequences].sort((left, right) => left - right));
    expect(sequences.length).toBeGreaterThanOrEqual(120);
    await second.stop();
  }, 120_000);
});

describe('versions', () => {
  it('are rebuilt beside the one that answers, and rolled back', async () => {
    const readModel = await system.start();
    for (let n = 0; n < 50; n += 1) await system.count('abcd'.charAt(n % 4), n);
    const rebuilt = await readModel.rebuild();
    expect(rebuilt).toEqual({ version: 2, rows: 4 });
    const last = await system.count('a', 1000);
    expect(await readModel.await(last, 5_000, 'a')).toBe(true);
    const sum = await sumOf(readModel, 'a');
    expect(await readModel.rollBack()).toBe(1);
    expect(readModel.version).toBe(1);
    expect(await readModel.await(last, 5_000, 'a')).toBe(true);
    expect(await sumOf(readModel, 'a')).toBe(sum);
  });

  it('of another form are built before they answer', async () => {
    const first = await system.start();
    const last = await system.count('a', 5);
    await first.await(last, 5_000);
    await first.stop();
    const second = await system.start({ form: '2' });
    expect(second.version).toBe(2);
    expect(await sumOf(second, 'a')).toBe(5);
  });

  it('are built anew when a collection is lost, and answer nothing meanwhile', async () => {
    const readModel = await system.start();
    await readModel.await(await system.count('a', 5), 5_000);
    system.faults.beforeWrite = () => pause(500);
    await readModel.contents().sums.drop();
    await until(() => readModel.readiness() !== true);
    expect(() => readModel.contents()).toThrow(expect.objectContaining({ status: 503, code: 'REBUILDING' }));
    await until(() => readModel.version === 2);
    expect(await sumOf(readModel, 'a')).toBe(5);
    expect(readModel.readiness()).toBe(true);
  });

  it('are built anew when the database is lost', async () => {
    const readModel = await system.start();
    await readModel.await(await system.count('a', 5), 5_000);
    await system.parts.db.dropDatabase();
    await until(() => (readModel.version ?? 0) >= 2);
    expect(await sumOf(readModel, 'a')).toBe(5);
  });

  it('are built anew when the stream is another one of the same name', async () => {
    const readModel = await system.start();
    await readModel.await(await system.count('a', 5), 5_000);
    const { connection, stream } = system.parts;
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { config } = await manager.streams.info(stream);
    await manager.streams.delete(stream);
    await manager.streams.add(config);
    const store = connectEventStore({ connection, stream, catalog, source: 'test' });
    const { sequence } = await store.append(`${stream}.a`, [{ type: 'Counted', data: { n: 7 } }], 'any', context);
    await until(() => (readModel.version ?? 0) >= 2);
    expect(await readModel.await(sequence, 10_000, 'a')).toBe(true);
    expect(await sumOf(readModel, 'a')).toBe(7);
  });
});
