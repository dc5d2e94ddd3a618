import { atFullLength, waitUntil } from '@mneme/local-stack/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { describe, expect } from 'vitest';
import { it, olderCatalogs, sumOf, type TestSystem } from '../testing/test-read-model.ts';

const full = () => Object.assign(new Error('No space left on device'), { status: 500 });

describe.concurrent('an event that cannot be applied', () => {
  const failFor = (system: TestSystem, aggregate: string, n: number) => {
    system.faults.beforeWrite = (events) => {
      const isBad = events.some((e) => e.subject.endsWith(`.${aggregate}`) && e.type === 'Counted' && e.data.n === n);
      if (isBad) throw new TypeError('told to fail');
    };
  };

  it('is dead-lettered within seconds, and all others go on, also in its lane', async ({ system }) => {
    const readModel = await system.start();
    failFor(system, 'a', 13);
    await system.count('a', 1);
    await system.count('a', 13);
    await system.count('a', 2);
    const other = await system.count('e', 5);
    expect(await readModel.await(other, 10_000, 'e')).toBe(true);
    expect([await sumOf(readModel, 'a'), await sumOf(readModel, 'e')]).toEqual([1, 5]);
    expect(() => readModel.assertCurrent('a')).toThrow(
      expect.objectContaining({ status: 503, code: 'READ_MODEL_BEHIND' }),
    );
    expect(readModel.assertCurrent('e')).toBeUndefined();
    const [status] = readModel.status();
    expect(status?.deferrals).toMatchObject([{ aggregate: 'a', kind: 'failed', reason: 'told to fail' }]);
  });

  it('is applied by a retry with what came after it, also after a restart', async ({ system }) => {
    const first = await system.start();
    failFor(system, 'a', 13);
    await system.count('a', 1);
    const bad = await system.count('a', 13);
    const last = await system.count('a', 2);
    await first.await(last, 10_000, 'e');
    await waitUntil(() => first.status()[0]?.deferrals.length === 1);
    await expect(first.retry(1, 'a')).rejects.toThrow('told to fail');
    await first.stop();
    const second = await system.start();
    await expect(second.await(bad, 10_000, 'a')).rejects.toMatchObject({ code: 'READ_MODEL_BEHIND' });
    system.faults.beforeWrite = () => undefined;
    await second.retry(1, 'a');
    const after = await system.count('a', 100);
    expect(await second.await(after, 10_000, 'a')).toBe(true);
    expect(await second.contents().sums.findOne({ _id: 'a' })).toMatchObject({ sum: 116, sequences: [1, 2, 3, 4] });
  });

  it('waits no longer when the event is erased from the log', async ({ system }) => {
    const readModel = await system.start();
    failFor(system, 'a', 13);
    const bad = await system.count('a', 13);
    await system.count('a', 2);
    await waitUntil(() => readModel.status()[0]?.deferrals.length === 1);
    const { connection, stream } = system.parts;
    await (await jetstreamManager(connection)).streams.deleteMessage(stream, bad);
    await waitUntil(() => readModel.status()[0]?.deferrals.length === 0, 20_000);
    expect(await sumOf(readModel, 'a')).toBe(2);
  });

  it('waits no longer when an event makes everything before it irrelevant', async ({ system }) => {
    const readModel = await system.start();
    failFor(system, 'a', 13);
    await system.count('a', 13);
    await waitUntil(() => readModel.status()[0]?.deferrals.length === 1);
    await system.append('a', { type: 'Ended', data: {} });
    const last = await system.count('a', 4);
    await waitUntil(() => readModel.status()[0]?.deferrals.length === 0);
    await readModel.await(last, 10_000, 'a');
    expect(await sumOf(readModel, 'a')).toBe(4);
  });

  it('holds back no event that makes it irrelevant, also when the batch of that one fails', async ({ system }) => {
    const first = await system.start();
    system.faults.beforeWrite = (events) => {
      if (events.some((event) => event.type === 'Counted' && event.data.n === 13)) throw new TypeError('told to fail');
    };
    await system.count('a', 13);
    await waitUntil(() => first.status()[0]?.deferrals.length === 1);
    await first.stop();
    // All of them are in one lane, and are read together.
    await system.count('e', 13);
    await system.count('i', 1);
    await system.append('a', { type: 'Ended', data: {} });
    const last = await system.count('i', 2);
    const second = await system.start();
    await second.await(last, 20_000, 'i');
    await waitUntil(() => second.status()[0]?.deferrals.some(({ aggregate }) => aggregate === 'e') === true);
    expect(second.status()[0]?.deferrals.map(({ aggregate }) => aggregate)).toEqual(['e']);
  });

  it.for([
    ['type', ['Counted', 'Ended']],
    ['version', ['Counted', 'Noted', 'Ended']],
  ] as const)(
    'waits for a release that knows its %s, and is applied by that without being asked',
    async ([lacking, types], { system }) => {
      const older = await system.start({ catalog: olderCatalogs[lacking], types });
      await system.append('a', { type: 'Noted', data: { text: 'new' } });
      await system.count('a', 2);
      const other = await system.count('e', 5);
      expect(await older.await(other, 10_000, 'e')).toBe(true);
      expect(older.status()[0]?.deferrals).toMatchObject([{ aggregate: 'a', kind: 'unknown-type', type: 'Noted' }]);
      const newer = await system.start();
      await waitUntil(async () => (await newer.contents().sums.findOne({ _id: 'a' }))?.sequences.length === 2);
      await waitUntil(() => newer.status()[0]?.deferrals.length === 0);
    },
  );

  it.runIf(atFullLength)(
    'is not blamed for a store that refuses all writes for a while, however long that takes',
    async ({ system }) => {
      const readModel = await system.start();
      let tries = 0;
      let isFull = true;
      system.faults.acceptsWrites = async () => !isFull;
      system.faults.beforeWrite = () => {
        tries += 1;
        if (isFull) throw full();
      };
      for (const aggregate of 'abcd') await system.count(aggregate, 1);
      const last = await system.count('e', 1);
      // Each lane has been tried more often than an event is tried that is to blame.
      await waitUntil(() => tries > 4 * 4, 20_000);
      expect(readModel.status()[0]?.deferrals).toEqual([]);
      expect(readModel.readiness()).toMatch('No space left on device');
      isFull = false;
      expect(await readModel.await(last, 20_000)).toBe(true);
      expect(await readModel.contents().sums.countDocuments()).toBe(5);
      expect(readModel.status()[0]?.deferrals).toEqual([]);
    },
  );

  it('is not blamed for an index that somebody dropped, and is applied as soon as it is made again', async ({
    system,
  }) => {
    const readModel = await system.startAtFive();
    const { sums } = readModel.contents();
    let failed = 0;
    system.faults.beforeWrite = async () => {
      await sums
        .find({}, { hint: { sum: 1 } })
        .toArray()
        .catch((error) => {
          failed += 1;
          throw error;
        });
    };
    await sums.dropIndexes();
    const last = await system.count('a', 1);
    expect(await readModel.await(last, 20_000, 'a')).toBe(true);
    expect(failed).toBeGreaterThan(0);
    expect([await sumOf(readModel, 'a'), readModel.status()[0]?.deferrals]).toEqual([6, []]);
  });

  it('is not blamed at once when the store fails for it and takes other writes', async ({ system }) => {
    const readModel = await system.start();
    let tries = 0;
    system.faults.beforeWrite = (events) => {
      if (!events.some((event) => event.subject.endsWith('.a'))) return;
      tries += 1;
      if (tries <= 4) throw full();
    };
    const bad = await system.count('a', 1);
    await waitUntil(() => tries > 0);
    const other = await system.count('b', 1);
    expect(await readModel.await(other, 10_000, 'b')).toBe(true);
    expect(await readModel.await(bad, 20_000, 'a')).toBe(true);
    expect(readModel.status()[0]?.deferrals).toEqual([]);
  });

  it.runIf(atFullLength)('is not blamed for a store that fails for everything', async ({ system }) => {
    const readModel = await system.start();
    let tries = 0;
    system.faults.beforeWrite = () => {
      tries += 1;
      throw new Error('the disk is full');
    };
    const aggregates = [...'abcdefghijkl'];
    for (const aggregate of aggregates) await system.count(aggregate, 1);
    await waitUntil(() => (readModel.status()[0]?.deferrals.length ?? 0) >= 3);
    const before = tries;
    await waitUntil(() => tries > before + 20);
    expect(readModel.status()[0]?.deferrals.length).toBeLessThanOrEqual(6);
    expect(readModel.readiness()).toMatch('the disk is full');
    system.faults.beforeWrite = () => undefined;
    const last = await system.count('z', 1);
    expect(await readModel.await(last, 20_000)).toBe(true);
    for (const { aggregate } of readModel.status()[0]?.deferrals ?? []) await readModel.retry(1, aggregate);
    expect(await readModel.contents().sums.countDocuments()).toBe(aggregates.length + 1);
  });
});
