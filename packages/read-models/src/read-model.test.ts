import { setTimeout as pause } from 'node:timers/promises';
import { EventLogUnavailableError } from '@mneme/event-store';
import { waitUntil } from '@mneme/local-stack/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { describe, expect } from 'vitest';
import { asIntact } from './read-after-write.ts';
import { ReadModel } from './read-model.ts';
import { catalog, it, logger, type SumRows, sumOf, type TestSystem } from './testing/test-read-model.ts';

describe.concurrent('a read model', () => {
  it('applies what is in the log, and what comes', async ({ system }) => {
    await system.count('a', 1);
    const before = await system.count('b', 2);
    const readModel = await system.start();
    expect(await readModel.await(before, 20_000)).toBe(true);
    const after = await system.count('a', 10);
    expect(await readModel.await(after, 20_000, 'a')).toBe(true);
    expect([await sumOf(readModel, 'a'), await sumOf(readModel, 'b')]).toEqual([11, 2]);
  });

  it('applies what it holds back for later events as soon as a request waits for it', async ({ system }) => {
    const readModel = await system.start({ batches: { delay: { types: ['Counted'], forMs: 60_000 } } });
    const first = await system.count('a', 1);
    expect(await readModel.await(first, 10_000, 'a')).toBe(true);
    const second = await system.count('a', 10);
    // It has come and is held back when the request begins to wait.
    await waitUntil(() => readModel.status()[0]?.lanes.some(({ queued }) => queued === 1) === true);
    expect(await readModel.await(second, 10_000, 'a')).toBe(true);
    expect(await sumOf(readModel, 'a')).toBe(11);
  });

  it('goes on at its checkpoints when it is started again, and applies nothing twice', async ({ system }) => {
    const first = await system.start();
    for (let n = 1; n <= 20; n += 1) await system.count('abcd'.charAt(n % 4), n);
    await first.stop();
    for (let n = 1; n <= 20; n += 1) await system.count('abcd'.charAt(n % 4), n);
    const second = await system.start();
    await second.await(await system.count('a', 1), 20_000);
    const rows = await second.contents().sums.find().toArray();
    expect(rows.reduce((sum, row) => sum + row.sum, 0)).toBe(421);
    expect(rows.flatMap(({ sequences }) => sequences).sort((left, right) => left - right)).toEqual(
      Array.from({ length: 41 }, (_, index) => index + 1),
    );
  });

  it('loses no event whose batch was given up because it was stopped', async ({ system }) => {
    const first = await system.start();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let isAtWork = false;
    system.faults.beforeWrite = async () => {
      isAtWork = true;
      await released;
    };
    const sequence = await system.count('a', 1);
    await waitUntil(() => isAtWork);
    const stopping = first.stop();
    // What is written from now on is given up.
    await pause(500);
    release();
    await stopping;
    system.faults.beforeWrite = () => undefined;
    const second = await system.start();
    expect(await second.await(sequence, 20_000, 'a')).toBe(true);
    expect(await sumOf(second, 'a')).toBe(1);
  });

  it('ends while more waits for a lane than it may queue', async ({ system }) => {
    const readModel = await system.start();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    system.faults.beforeWrite = () => released;
    for (let count = 0; count < 2_600; count += 200)
      await Promise.all(Array.from({ length: 200 }, () => system.count('a', 1)));
    await waitUntil(() => readModel.status()[0]?.lanes.some(({ queued }) => queued >= 2_000) === true);
    const stopping = readModel.stop();
    release();
    expect(await Promise.race([stopping.then(() => 'stopped'), pause(10_000, 'still running')])).toBe('stopped');
    system.faults.beforeWrite = () => undefined;
  });

  it('reads a lane again when a batch of it has failed unexpectedly', async ({ system }) => {
    let failures = 0;
    const definitions = new Map(catalog.definitions);
    definitions.get = (type) => {
      failures += 1;
      if (failures === 1) throw new TypeError('an unexpected error');
      return Map.prototype.get.call(definitions, type);
    };
    const readModel = await system.start({ catalog: { ...catalog, definitions } });
    const sequence = await system.count('a', 1);
    expect(await readModel.await(sequence, 20_000, 'a')).toBe(true);
    expect(await sumOf(readModel, 'a')).toBe(1);
    expect(failures).toBeGreaterThan(1);
  });

  it('lets a lane that fails hold up no other', async ({ system }) => {
    const readModel = await system.start();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    system.faults.beforeWrite = async (events) => {
      if (events.some(({ subject }) => subject.endsWith('.a'))) await released;
    };
    await system.count('a', 1);
    const other = await system.count('b', 2);
    expect(await readModel.await(other, 10_000, 'b')).toBe(true);
    expect(await readModel.await(other, 200)).toBe(false);
    release();
    expect(await readModel.await(other, 20_000)).toBe(true);
  });

  it('tells the age of the oldest event that a lane has not applied, also while its batch is tried again', async ({
    system,
  }) => {
    const readModel = await system.start();
    const lag = () => readModel.status()[0]?.lanes.map(({ lagSeconds }) => lagSeconds) ?? [];
    const applied = await system.count('b', 1);
    await readModel.await(applied, 20_000);
    expect(lag()).toEqual([0, 0, 0, 0]);
    let isAway = true;
    system.faults.beforeWrite = () => {
      if (isAway) throw new EventLogUnavailableError('The log is away');
    };
    const sequence = await system.count('a', 1);
    await pause(1_500);
    await system.count('a', 2);
    const [, ofA] = lag();
    expect(ofA).toBeGreaterThan(1.4);
    expect(readModel.status()[0]?.lagSeconds).toBeCloseTo(ofA ?? 0, 0);
    expect(lag().filter((seconds) => seconds > 0)).toHaveLength(1);
    isAway = false;
    await readModel.await(sequence + 1, 10_000);
    await waitUntil(() => lag().every((seconds) => seconds === 0));
  });

  it('has work that was left to do give way to questions while these come, and to no background queries', async ({
    system,
  }) => {
    let isDue = true;
    let givesWay: boolean | undefined;
    system.faults.maintenance = {
      isDue: () => isDue,
      step: async (_lane, _commit, giveWay) => {
        isDue = false;
        givesWay = giveWay !== undefined;
      },
    };
    const readModel = await system.start();
    const afterQuery = async (isBackground: boolean) => {
      givesWay = undefined;
      readModel.contents({ isBackground });
      isDue = true;
      await readModel.await(await system.count('a', 1), 20_000, undefined, { isBackground });
      await waitUntil(() => givesWay !== undefined);
      return givesWay;
    };
    await waitUntil(() => givesWay !== undefined);
    expect(givesWay).toBe(false);
    expect(await afterQuery(true)).toBe(false);
    expect(await afterQuery(false)).toBe(true);
  });

  it('tells a caller who waits for an event that it could not be applied', async ({ system }) => {
    const readModel = await system.start();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    system.faults.beforeWrite = () => released;
    const before = await system.count('e', 1);
    // In the same lane, behind the event that is being written.
    await system.parts.connection.request(`${system.parts.stream}.a`, 'no event at all');
    const waiting = [readModel.await(before + 1, 20_000, 'a'), readModel.await(before + 1, 20_000, 'e')] as const;
    const allowed = readModel.await(before + 1, 20_000, 'a', { isBehindAllowed: true });
    release();
    await expect(waiting[0]).rejects.toMatchObject({ status: 503, code: 'READ_MODEL_BEHIND' });
    expect([await waiting[1], await allowed]).toEqual([true, true]);
  });

  it('says that it cannot find out where an event belongs, and goes on when it can', async ({ system }) => {
    let isBroken = true;
    const { lanes } = system.definition();
    const aggregateOf = async ({ subject }: { readonly subject: string }) => {
      if (isBroken) throw new TypeError('told to fail');
      return subject.split('.')[1];
    };
    const readModel = await system.start({ lanes: { ...lanes, aggregateOf } });
    const sequence = await system.count('a', 1);
    await waitUntil(() => readModel.readiness() !== true);
    expect(readModel.readiness()).toMatch(`where event ${sequence} belongs: told to fail`);
    isBroken = false;
    expect(await readModel.await(sequence, 20_000, 'a')).toBe(true);
    expect(readModel.readiness()).toBe(true);
  });

  it('makes an index again that somebody dropped as soon as a query lacks it, and refuses that query', async ({
    system,
  }) => {
    const readModel = await system.startAtFive();
    const ask = () =>
      asIntact(readModel, () =>
        readModel
          .contents()
          .sums.find({}, { hint: { sum: 1 } })
          .toArray(),
      );
    expect(await ask()).toHaveLength(1);
    await readModel.contents().sums.dropIndexes();
    const refusal = { status: 503, code: 'UNAVAILABLE', message: expect.stringMatching(/An index .* try again/) };
    await expect(ask()).rejects.toMatchObject(refusal);
    await waitUntil(() => ask().then(Boolean, () => false));
  });

  it.for([
    [
      'is hidden',
      'An equivalent index already exists with the same name but different options',
      async ({ parts: { db } }: TestSystem, { collectionName }: SumRows['sums']) => {
        await db.command({ collMod: collectionName, index: { name: 'sum_1', hidden: true } });
      },
    ],
    [
      'has lost its name to another one',
      'An existing index has the same name',
      async (_: TestSystem, sums: SumRows['sums']) => {
        await sums.dropIndexes();
        await sums.createIndex({ sequences: 1 }, { name: 'sum_1' });
      },
    ],
  ] as const)(
    'says why an index that a query lacks cannot be made again: it %s',
    async ([, said, spoil], { system }) => {
      const readModel = await system.startAtFive();
      const { sums } = readModel.contents();
      await spoil(system, sums);
      const told: string[] = [];
      const ask = () => asIntact(readModel, () => sums.find({}, { hint: { sum: 1 } }).toArray());
      await waitUntil(async () => {
        const { status, message } = await ask().catch((error) => error);
        expect(status).toBe(503);
        told.push(message);
        return message.includes(`could not be made again: MongoDB: ${said}`);
      });
      expect(told[0]).toContain('is being made again; try again');
    },
  );

  it('moves over sequences whose events were erased', async ({ system }) => {
    const readModel = await system.start();
    const { connection, stream } = system.parts;
    await system.count('a', 1);
    const last = await system.count('a', 2);
    await readModel.await(last, 20_000);
    await readModel.stop();
    const erased = await system.count('a', 3);
    const manager = await jetstreamManager(connection, { checkAPI: false });
    await manager.streams.deleteMessage(stream, erased, true);
    const again = await system.start();
    expect(await again.await(erased, 20_000)).toBe(true);
    expect(await sumOf(again, 'a')).toBe(3);
  });
});

describe.concurrent('several instances', () => {
  const startOther = async (system: TestSystem) => {
    const { client, db } = system.parts;
    const connection = await system.parts.connectTo();
    return ReadModel.start({ connection, client, db, logger }, system.definition());
  };

  it('share the lanes, wait for each other, and take over', async ({ system }) => {
    const first = await system.start();
    const second = await startOther(system);
    await waitUntil(() => second.status()[0]?.lanes.length === 2 && first.status()[0]?.lanes.length === 2);
    const sequences = await Promise.all([...'abcd'].map((aggregate) => system.count(aggregate, 7)));
    const last = Math.max(...sequences);
    expect(await Promise.all([first.await(last, 20_000), second.await(last, 20_000)])).toEqual([true, true]);
    expect(await first.contents().sums.countDocuments({ sum: 7 })).toBe(4);
    await second.stop();
    await waitUntil(() => first.status()[0]?.lanes.length === 4);
    const more = await Promise.all([...'abcd'].map((aggregate) => system.count(aggregate, 1)));
    expect(await first.await(Math.max(...more), 10_000)).toBe(true);
    expect(await first.contents().sums.countDocuments({ sum: 8 })).toBe(4);
  });

  it('tell a caller at once what could not be applied by another one', async ({ system }) => {
    const all = [await system.start(), await startOther(system)];
    await waitUntil(() => all.every((each) => each.status()[0]?.lanes.length === 2));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    system.faults.beforeWrite = () => released;
    // In each lane an event that cannot be read, behind one that is being written.
    for (const aggregate of 'efgh') await system.count(aggregate, 1);
    const { connection, stream } = system.parts;
    for (const aggregate of 'abcd') await connection.request(`${stream}.${aggregate}`, 'no event at all');
    const waiting = all.flatMap((each) => [...'abcd'].map((aggregate) => each.await(8, 20_000, aggregate)));
    const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'READ_MODEL_BEHIND' }) };
    release();
    expect(await Promise.allSettled(waiting)).toEqual(waiting.map(() => refused));
    await all[1]?.stop();
  });

  it('start at once on an empty database and serve one version', async ({ system }) => {
    const all = await Promise.all([system.start(), system.start(), startOther(system)]);
    const last = await system.count('a', 1);
    expect(await Promise.all(all.map((each) => each.await(last, 10_000, 'a')))).toEqual([true, true, true]);
    expect(new Set(all.map(({ version }) => version)).size).toBe(1);
    await all[2]?.stop();
  });
});

describe('while servers are killed', () => {
  it('two instances apply everything once and in order', async ({ system }) => {
    const { client, db } = system.parts;
    const first = await system.start();
    const connection = await system.parts.connectTo();
    const second = await ReadModel.start({ connection, client, db, logger }, system.definition());
    const { nats, mongod } = system.parts.stack.servers;
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
    await waitUntil(async () => (await first.contents().sums.find().toArray()).length === 4);
    const rows = await first.contents().sums.find().toArray();
    const sequences = rows.flatMap((row) => row.sequences);
    expect(new Set(sequences).size).toBe(sequences.length);
    for (const row of rows) expect(row.sequences).toEqual([...row.sequences].sort((left, right) => left - right));
    expect(sequences.length).toBeGreaterThanOrEqual(120);
    await second.stop();
  });
});
