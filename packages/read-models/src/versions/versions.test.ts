import { setTimeout as pause } from 'node:timers/promises';
import { connectEventStore } from '@mneme/event-store';
import { atFullLength, waitUntil } from '@mneme/local-stack/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import type { ConnectionPoolClearedEvent } from 'mongodb';
import { describe, expect } from 'vitest';
import { asIntact } from '../read-after-write.ts';
import { catalog, context, it, sumOf, type TestSystem } from '../testing/test-read-model.ts';

/** A definition whose form changes while the read model is at work. */
function ofForm(wanted: { readonly form: string }, isUsable: (form: string) => boolean = () => true) {
  return {
    get form() {
      return wanted.form;
    },
    isUsable,
  };
}

describe.concurrent('versions', () => {
  it('are rebuilt beside the one that answers, and rolled back', async ({ system }) => {
    const readModel = await system.start();
    for (let n = 0; n < 50; n += 1) await system.count('abcd'.charAt(n % 4), n);
    const rebuilt = await readModel.rebuild();
    expect(rebuilt).toEqual({ version: 2, rows: 4 });
    const last = await system.count('a', 1000);
    expect(await readModel.await(last, 20_000, 'a')).toBe(true);
    const sum = await sumOf(readModel, 'a');
    expect(await readModel.rollBack()).toBe(1);
    expect(readModel.version).toBe(1);
    expect(await readModel.await(last, 20_000, 'a')).toBe(true);
    expect(await sumOf(readModel, 'a')).toBe(sum);
  });

  it('of the release before go on answering while its instances are replaced', async ({ system }) => {
    const before = await system.startAtFive();
    const after = await system.start({ form: '2' });
    expect(after.version).toBe(2);
    const last = await system.count('a', 2);
    for (const readModel of [before, after]) {
      expect(await readModel.await(last, 10_000, 'a')).toBe(true);
      expect(await sumOf(readModel, 'a')).toBe(7);
    }
    expect(before.version).toBe(1);
    await expect(after.rollBack()).rejects.toThrow('another release');
  });

  it('of the release before catch up and answer again after a downgrade, and those of the newer one after that', async ({
    system,
  }) => {
    await (await system.startAtFive()).stop();
    for (const [form, version, added] of [
      ['2', 2, 1],
      ['1', 1, 10],
      ['2', 2, 100],
    ] as const) {
      const readModel = await system.start({ form });
      await waitUntil(() => readModel.version === version);
      expect(await readModel.await(await system.count('a', added), 10_000, 'a')).toBe(true);
      expect([readModel.form, await sumOf(readModel, 'a')]).toEqual([
        form,
        5 + Number('111'.slice(-String(added).length)),
      ]);
      await readModel.stop();
    }
  });

  it.runIf(atFullLength)(
    'that a restart of the release before has replaced answer on, and take their place again when it has ended',
    async ({ system }) => {
      const { db } = system.parts;
      const roles = () => db.collection('read_models').findOne({});
      await (await system.startAtFive()).stop();
      const after = await system.start({ form: '2' });
      const before = await system.start();
      await waitUntil(async () => (await roles())?.live === 1 && before.isAnswering);
      await before.stop();
      const longAgo = { $dateSubtract: { startDate: '$previous.until', unit: 'minute', amount: 16 } };
      await db.collection('read_models').updateOne({}, [{ $set: { 'previous.until': longAgo } }]);
      await waitUntil(async () => (await roles())?.live === 2, 60_000);
      expect(await after.await(await system.count('a', 1), 10_000, 'a')).toBe(true);
      expect([after.version, await asIntact(after, () => sumOf(after, 'a'))]).toEqual([2, 6]);
    },
  );

  it.runIf(atFullLength)(
    'that are rebuilt take nothing from the release before that still answers, which does not end the rebuild when it starts',
    async ({ system, onTestFinished }) => {
      const { db } = system.parts;
      const roles = () => db.collection('read_models').findOne({});
      const before = await system.startAtFive();
      const after = await system.start({ form: '2' });
      const held = Promise.withResolvers<void>();
      onTestFinished(() => held.resolve());
      system.faults.beforeWrite = () => held.promise;
      const rebuilding = after.rebuild();
      await waitUntil(async () => (await roles())?.target === 3);
      const restarted = await system.start({}, 1_000);
      expect(await roles()).toMatchObject({ live: 2, target: 3 });
      held.resolve();
      expect(await rebuilding).toMatchObject({ version: 3 });
      const until = performance.now() + 8_000;
      while (performance.now() < until) {
        expect(await asIntact(before, () => sumOf(before, 'a'))).toBe(5);
        await pause(50);
      }
      await Promise.all([before.stop(), restarted.stop()]);
      const names = async () => (await db.listCollections().toArray()).map(({ name }) => name);
      await waitUntil(async () => !(await names()).includes('sums@1'), 60_000);
      expect([after.version, await sumOf(after, 'a')]).toEqual([3, 5]);
    },
  );

  it.runIf(atFullLength)(
    'of two releases at work are built one after the other when the database is lost',
    async ({ system }) => {
      const { db } = system.parts;
      const before = await system.startAtFive();
      const after = await system.start({ form: '2' });
      system.faults.beforeWrite = () => pause(2_000);
      await db.dropDatabase();
      const isBack = async (readModel: typeof before) => {
        await waitUntil(() => !readModel.isAnswering);
        await waitUntil(() => readModel.isAnswering, 60_000);
      };
      await Promise.all([isBack(before), isBack(after)]);
      // Each has built one.
      expect(Math.max(before.version ?? 0, after.version ?? 0)).toBeLessThanOrEqual(4);
      for (const readModel of [before, after]) expect(await asIntact(readModel, () => sumOf(readModel, 'a'))).toBe(5);
    },
  );

  it.runIf(atFullLength)(
    'of the release before are removed a minute later when none of its instances runs',
    async ({ system }) => {
      const before = await system.startAtFive();
      await before.stop();
      const after = await system.start({ form: '2' });
      expect([after.version, await sumOf(after, 'a')]).toEqual([2, 5]);
      const { db } = system.parts;
      const collections = async () => (await db.listCollections().toArray()).map(({ name }) => name);
      expect(await collections()).toContain('sums@1');
      const minuteAgo = (startDate: string) => ({ $dateSubtract: { startDate, unit: 'second', amount: 61 } });
      await db.collection('read_models').updateOne({}, [{ $set: { 'previous.until': minuteAgo('$previous.until') } }]);
      await db.collection('read_model_builds').updateMany({}, [{ $set: { startedAt: minuteAgo('$startedAt') } }]);
      await waitUntil(async () => !(await collections()).includes('sums@1'), 30_000);
      const checkpoints = db.collection('read_model_checkpoints');
      await waitUntil(async () => (await checkpoints.countDocuments({ version: `${system.name}@1` })) === 0);
      expect(await sumOf(after, 'a')).toBe(5);
    },
  );

  it('begin at the beginning, whatever one of their number has left', async ({ system }) => {
    const { db } = system.parts;
    const first = await system.start();
    const last = await system.count('a', 5);
    await first.await(last, 20_000);
    const [checkpoint] = await db
      .collection('read_model_checkpoints')
      .find({ version: `${system.name}@1` })
      .toArray();
    const left = { ...checkpoint, version: `${system.name}@2`, position: last };
    const lanes = [0, 1, 2, 3].map((lane) => ({ ...left, _id: `${system.name}@2/${lane}` as never, lane }));
    await db.collection('read_model_checkpoints').insertMany(lanes);
    expect(await first.rebuild()).toEqual({ version: 2, rows: 1 });
    expect(await sumOf(first, 'a')).toBe(5);
  });

  it('that are gone wait for no event, so that it can be discarded, but not retried', async ({ system }) => {
    const readModel = await system.start();
    await readModel.retry(9, 'a', 3);
    await expect(readModel.retry(9, 'a')).rejects.toThrow(`${system.name}@9 is not there any more`);
  });

  it('that a lost database knew are removed where they have left something', async ({ system }) => {
    // Another installation shares the store and has the versions 2 and 9.
    const kept = new Set([1, 2, 7, 9]);
    const definition = system.definition();
    const store: typeof definition.store = (version, form) => {
      const usual = definition.store(version, form);
      return { ...usual, drop: () => usual.drop().then(() => void kept.delete(version)) };
    };
    const keptOutside = async () =>
      [...kept].map((version) => ({ version, isOfThisLog: version % 2 === 1 && version < 9 }));
    const readModel = await system.start({ store, keptOutside });
    expect(readModel.version).toBe(10);
    await readModel.await(await system.count('a', 5), 20_000);
    await waitUntil(() => !kept.has(1) && !kept.has(7));
    expect(kept).toEqual(new Set([2, 9]));
    expect(await sumOf(readModel, 'a')).toBe(5);
  });

  it('of another form are built beside the one that answers when the form changes meanwhile', async ({ system }) => {
    const wanted = { form: '1', usable: ['1'] };
    const isUsable = (form: string) => wanted.usable.includes(form);
    const readModel = await system.startAtFive(ofForm(wanted, isUsable));
    const paused = Promise.withResolvers<void>();
    system.faults.beforeWrite = () => (wanted.form === '2' ? paused.promise : undefined);
    Object.assign(wanted, { form: '2', usable: ['1', '2'] });
    await waitUntil(() => readModel.status().some(({ form, state }) => form === '2' && state === 'rebuilding'));
    expect([readModel.version, readModel.form, await sumOf(readModel, 'a')]).toEqual([1, '1', 5]);
    paused.resolve();
    await waitUntil(() => readModel.version === 2);
    expect([readModel.form, await sumOf(readModel, 'a')]).toEqual(['2', 5]);
    await expect(readModel.rollBack()).rejects.toThrow('another release or embedding model');
  });

  it.for(['1', '2'])(
    'that are asked for while another form is begun are those of form %s in the end',
    async (last, { system }) => {
      const wanted = { form: '1' };
      const readModel = await system.startAtFive(ofForm(wanted));
      const paused = Promise.withResolvers<void>();
      const begunForm = last === '1' ? '2' : '3';
      system.faults.beforeWrite = () => (wanted.form === begunForm ? paused.promise : undefined);
      wanted.form = begunForm;
      await waitUntil(() => readModel.status().some(({ form, state }) => form === begunForm && state === 'rebuilding'));
      const rebuilding = readModel.rebuild();
      wanted.form = last;
      paused.resolve();
      const rebuilt = await rebuilding;
      expect([rebuilt.version > 2, readModel.version, readModel.form]).toEqual([true, rebuilt.version, last]);
    },
  );

  it('of a form that is not wanted any more are given up', async ({ system }) => {
    const wanted = { form: '1' };
    const readModel = await system.startAtFive(ofForm(wanted));
    const paused = Promise.withResolvers<void>();
    system.faults.beforeWrite = () => (wanted.form === '2' ? paused.promise : undefined);
    wanted.form = '2';
    await waitUntil(() => readModel.status().length === 2);
    wanted.form = '1';
    paused.resolve();
    await waitUntil(() => readModel.status().length === 1);
    expect([readModel.version, readModel.form]).toEqual([1, '1']);
    const last = await system.count('a', 2);
    expect(await readModel.await(last, 20_000, 'a')).toBe(true);
    expect(await sumOf(readModel, 'a')).toBe(7);
  });

  it('are built anew when a collection is lost, and answer nothing meanwhile', async ({ system }) => {
    const readModel = await system.startAtFive();
    system.faults.beforeWrite = () => pause(500);
    await readModel.contents().sums.drop();
    await waitUntil(() => readModel.readiness() !== true);
    expect(() => readModel.contents()).toThrow(expect.objectContaining({ status: 503, code: 'REBUILDING' }));
    await waitUntil(() => readModel.version === 2);
    expect(await sumOf(readModel, 'a')).toBe(5);
    expect(readModel.readiness()).toBe(true);
  });

  it.for([
    ['the collection of checkpoints', 'read_model_checkpoints'],
    ['the list of what waits', 'read_model_deferrals'],
  ] as const)('are built anew when %s is lost, while they run and at the next start', async ([_, name], { system }) => {
    const { connection, db, stream } = system.parts;
    const first = await system.start();
    await system.count('a', 5);
    await connection.request(`${stream}.b`, 'no event at all');
    const refused = expect.objectContaining({ status: 503, code: 'READ_MODEL_BEHIND' });
    await expect(first.await(2, 20_000, 'b')).rejects.toEqual(refused);
    await db.collection(name).drop();
    await waitUntil(() => first.version === 2);
    await first.stop();
    await db.collection(name).drop();
    const second = await system.start();
    await waitUntil(() => second.version === 3);
    expect(await second.await(await system.count('a', 1), 20_000, 'a')).toBe(true);
    expect(await sumOf(second, 'a')).toBe(6);
    expect(() => second.assertCurrent('b')).toThrow(refused);
  });

  it('are built anew when the checkpoint of one lane is gone', async ({ system }) => {
    const readModel = await system.startAtFive();
    await readModel.stop();
    await system.parts.db.collection('read_model_checkpoints').deleteOne({ lane: 'a'.charCodeAt(0) % 4 });
    const again = await system.start();
    await waitUntil(() => again.version === 2);
    expect(await sumOf(again, 'a')).toBe(5);
  });

  it('go on when the leases of their lanes are lost', async ({ system }) => {
    const first = await system.startAtFive();
    await first.stop();
    const readModel = await system.start();
    const { db } = system.parts;
    await db.collection('read_model_leases').drop();
    // As if the first leases had been made by a clock that was an hour ahead.
    await db.collection('read_model_checkpoints').updateMany({}, { $set: { epoch: Date.now() + 3_600_000 } });
    await pause(2_500);
    expect(await readModel.await(await system.count('a', 2), 10_000, 'a')).toBe(true);
    expect([readModel.version, await sumOf(readModel, 'a')]).toEqual([1, 7]);
  });

  it('are looked at before an answer goes out that was read while the connection to the database was lost', async ({
    system,
  }) => {
    const readModel = await system.startAtFive();
    system.faults.beforeWrite = () => pause(500);
    const lose = () => system.parts.db.client.emit('connectionPoolCleared', {} as ConnectionPoolClearedEvent);
    lose();
    await expect(readModel.assertIntact()).resolves.toBeUndefined();
    const answer = asIntact(readModel, async () => {
      await readModel.contents().sums.drop();
      lose();
      throw new Error('No such row');
    });
    await expect(answer).rejects.toMatchObject({ status: 503, code: 'REBUILDING' });
  });

  it('are built anew when the database is lost, and answer nothing meanwhile', async ({ system }) => {
    const readModel = await system.start();
    const last = await system.count('a', 5);
    await readModel.await(last, 20_000);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    system.faults.beforeWrite = () => released;
    await system.parts.db.dropDatabase();
    await waitUntil(() => readModel.status().some(({ version, state }) => version === 2 && state === 'rebuilding'));
    const rebuilding = expect.objectContaining({ status: 503, code: 'REBUILDING' });
    expect(() => readModel.contents()).toThrow(rebuilding);
    await expect(readModel.await(last, 100, 'a')).rejects.toEqual(rebuilding);
    expect(readModel.readiness()).toMatch('was lost');
    release();
    await waitUntil(() => (readModel.version ?? 0) >= 2);
    expect(await sumOf(readModel, 'a')).toBe(5);
    expect(readModel.readiness()).toBe(true);
  });

  it('are built anew when the stream is another one of the same name', async ({ system }) => {
    const readModel = await system.startAtFive();
    const { connection, stream } = system.parts;
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { config } = await manager.streams.info(stream);
    await manager.streams.delete(stream);
    await manager.streams.add(config);
    const store = connectEventStore({ connection, stream, catalog, source: 'test' });
    const { sequence } = await store.append(`${stream}.a`, [{ type: 'Counted', data: { n: 7 } }], 'any', context);
    await waitUntil(() => (readModel.version ?? 0) >= 2);
    expect(await readModel.await(sequence, 10_000, 'a')).toBe(true);
    expect(await sumOf(readModel, 'a')).toBe(7);
  });

  /** As if an instance of another release had begun a version, and were building it. */
  async function beginElsewhere({ name, parts: { db } }: TestSystem) {
    const begun = {
      _id: `${name}@2` as never,
      name,
      version: 2,
      form: '2',
      identity: null,
      startedAt: new Date(),
    };
    await db.collection('read_model_builds').insertOne(begun);
    const expiresAt = new Date(Date.now() + 60_000);
    const member = {
      _id: `${name}@2/other` as never,
      version: `${name}@2`,
      instance: 'other',
      expiresAt,
    };
    await db.collection('read_model_instances').insertOne(member);
    await db.collection('read_models').updateOne({}, { $set: { target: 2 } });
    return { begun, member };
  }

  it('of another release that is begun after one was asked for is not waited for', async ({ system }) => {
    let isBegun = false;
    const keptOutside = async () => {
      if (!isBegun && readModel) {
        isBegun = true;
        await beginElsewhere(system);
        // Longer than until it is seen.
        await pause(2_000);
      }
      return [];
    };
    let readModel: Awaited<ReturnType<typeof system.start>> | undefined;
    readModel = await system.startAtFive({ keptOutside });
    await expect(readModel.rebuild()).rejects.toThrow('another release');
    expect(isBegun).toBe(true);
  });

  it('that others change again and again end a rebuild, which says so', async ({ system }) => {
    let isAsked = false;
    let changes = 0;
    const keptOutside = async () => {
      changes += 1;
      const previous = { version: 100 + changes, until: new Date(Date.now() + 900_000) };
      if (isAsked) await system.parts.db.collection('read_models').updateOne({}, { $set: { previous } });
      return [];
    };
    const readModel = await system.startAtFive({ keptOutside });
    isAsked = true;
    const given = /changed the versions of sums-T\d+ each of the 5 times .* Run it again$/;
    await expect(readModel.rebuild()).rejects.toThrow(given);
    expect(await sumOf(readModel, 'a')).toBe(5);
  });

  it('that catch up after a downgrade are no rebuild, and replaced by one that is asked for', async ({ system }) => {
    const { db } = system.parts;
    await (await system.startAtFive()).stop();
    // As one that was made by a release that did not note this.
    await db.collection('read_model_builds').updateOne({ version: 1 }, { $unset: { hasAnswered: 1 } });
    await (await system.start({ form: '2' })).stop();
    await system.count('a', 1);
    const held = Promise.withResolvers<void>();
    system.faults.beforeWrite = () => held.promise;
    const back = await system.start({}, 1_000);
    expect(await db.collection('read_models').findOne({})).toMatchObject({ live: 2, target: 1 });
    await db.collection('sums@1').updateOne({}, { $set: { sum: 999 } });
    const rebuilding = back.rebuild();
    held.resolve();
    expect(await rebuilding).toEqual({ version: 3, rows: 1 });
    expect(await sumOf(back, 'a')).toBe(6);
  });

  it('of another release that no instance builds any more do not hold up a rebuild', async ({ system }) => {
    const { db } = system.parts;
    const readModel = await system.startAtFive();
    const { begun, member } = await beginElsewhere(system);
    await expect(readModel.rebuild()).rejects.toThrow('another release');
    await db.collection('read_model_instances').deleteOne({ _id: member._id });
    await expect(readModel.rebuild()).rejects.toThrow('another release');
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await db.collection('read_model_builds').updateOne({ _id: begun._id }, { $set: { startedAt: anHourAgo } });
    expect(await readModel.rebuild()).toEqual({ version: 3, rows: 1 });
    expect([readModel.form, await sumOf(readModel, 'a')]).toEqual(['1', 5]);
  });
});

it('a version is kept for its time by the clock of the database, whatever that of an instance says', async ({
  system,
  onTestFinished,
}) => {
  const readModel = await system.startAtFive();
  await readModel.rebuild();
  const { now } = Date;
  onTestFinished(() => {
    Date.now = now;
  });
  Date.now = () => now() + 20 * 60_000;
  // Several looks.
  await pause(3_000);
  expect(await readModel.rollBack()).toBe(1);
});
