import { deadLetters, EventLogUnavailableError, openLog } from '@mneme/event-store';
import { waitUntil } from '@mneme/local-stack/testing';
import { MongoNetworkError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { ReadModelStore } from '../definition.ts';
import { type LaneMoves, laneMoves, mongoLaneCheckpoints } from '../lanes/checkpoints.ts';
import { createDeferrals, mongoDeferrals } from '../lanes/deferrals.ts';
import { type Deferral, Lane } from '../lanes/lane.ts';
import { SessionPool } from '../mongo/sessions.ts';
import { logger, type SumRows, sumOf, type TestEvent, useTestSystem } from '../testing/test-read-model.ts';
import { type RetryOptions, retryInLane } from './retry.ts';

type SumStore = ReadModelStore<TestEvent, SumRows>;

const system = useTestSystem();

const failFor = (...bad: readonly number[]) => {
  system.faults.beforeWrite = (events) => {
    const found = events.find((event) => event.type === 'Counted' && bad.includes(event.data.n));
    if (found?.type === 'Counted') throw new TypeError(`told to fail for ${found.data.n}`);
  };
};
const countAll = async (numbers: readonly number[]): Promise<number[]> => {
  const sequences: number[] = [];
  for (const n of numbers) sequences.push(await system.count('a', n));
  return sequences;
};
const unavailable = () => new EventLogUnavailableError('The event log is away');

it('an aggregate waits for its second event that cannot be applied, once the first one is left out', async () => {
  failFor(13, 14);
  const readModel = await system.start();
  const [first, , , second, last] = await countAll([13, 1, 2, 14, 4]);
  await waitUntil(() => readModel.status()[0]?.deferrals.length === 1);
  await readModel.await(last ?? 0, 5_000);
  await readModel.retry(1, 'a', first);
  expect(await sumOf(readModel, 'a')).toBe(3);
  const waits = { aggregate: 'a', from: second, type: 'Counted', kind: 'failed', reason: 'told to fail for 14' };
  expect(readModel.status()[0]?.deferrals).toMatchObject([waits]);
  expect(await mongoDeferrals(system.parts.db, 'sums@1').list()).toMatchObject([waits]);
  const { entries: letters } = await deadLetters(system.parts.connection).page(1, 100, 1e6);
  expect(letters.map(({ position }) => position.sequence)).toEqual([first, second]);
  await readModel.retry(1, 'a', second);
  expect(await sumOf(readModel, 'a')).toBe(7);
  expect(readModel.status()[0]?.deferrals).toEqual([]);
});

describe('a retry', () => {
  const key = 'sums@1';

  /** A lane of an instance, in which an aggregate waits for the first of its events. */
  async function waiting(
    numbers: readonly number[],
    change: (store: SumStore) => Partial<SumStore> = () => ({}),
    append: () => Promise<void> = async () => undefined,
  ) {
    const { client, db, connection, stream } = system.parts;
    await system.count('e', 1);
    const sequences = await countAll(numbers);
    await append();
    // Of the same lane.
    const last = await system.count('e', 1);
    const definition = system.definition();
    const created = definition.store(1, '1');
    const store = { ...created, ...change(created) };
    await store.create();
    await createDeferrals(db);
    const deferrals = mongoDeferrals(db, key);
    const checkpoints = mongoLaneCheckpoints(db, key, definition.lanes.count);
    const lane = new Lane(definition.lanes.laneOf('a'));
    const { index } = lane;
    await checkpoints.create();
    await checkpoints.fence([{ lane: index, epoch: 1 }]);
    await checkpoints.move([{ lane: index, epoch: 1, from: 0, to: last, lastEvent: null }], 'now');
    lane.open(last, 1);
    const about = { aggregate: 'a', lane: index, type: 'Counted', kind: 'failed', reason: 'told to fail' } as const;
    const deferral: Deferral = { ...about, from: sequences[0] ?? 0 };
    await deferrals.put(deferral);
    lane.deferrals.set('a', deferral);
    const sessions = new SessionPool({ client, db, key, instance: 'test' });
    const moves = laneMoves(checkpoints, sessions, () => 'now');
    const deadLettered: number[] = [];
    const lost: Lane[] = [];
    const retry = (changes: Partial<RetryOptions<TestEvent>> = {}, discarded?: number, waitMs = 5_000) =>
      retryInLane(
        {
          definition,
          store,
          indexes: { note: () => undefined },
          checkpoints: moves,
          deferrals,
          logger,
          log: openLog(connection, stream),
          signal: new AbortController().signal,
          deadLetter: async ({ message }) => void deadLettered.push(message.sequence),
          isHeld: () => true,
          onLost: (each) => void lost.push(each),
          onFree: () => undefined,
          ...changes,
        },
        { lane, aggregate: 'a', discarded, waitMs },
      );
    const row = () => store.contents.sums.findOne({ _id: 'a' });
    /** Calls back as soon as the last message of the lane is looked at, which is none of the aggregate. */
    const whenScanned = (act: () => unknown) => ({
      ...definition,
      lanes: {
        ...definition.lanes,
        aggregateOf: async (message: Parameters<typeof definition.lanes.aggregateOf>[0]) => {
          if (message.sequence === last) await act();
          return definition.lanes.aggregateOf(message);
        },
      },
    });
    const known = { sequences, last, deferral, lane, lost, index, checkpoints, deferrals, deadLettered };
    return { ...known, moves, retry, row, whenScanned };
  }

  /** Each event in a transaction of its own, as the store of the memory area does where it must. */
  const stepByStep = (store: SumStore, fault: (step: number) => void): Partial<SumStore> => ({
    apply: async (batch, commit) => {
      for (const [step, event] of batch.events.entries()) {
        fault(step);
        const upTo = step === batch.events.length - 1 ? Number.POSITIVE_INFINITY : event.position.sequence;
        await store.apply({ ...batch, events: [event] }, (_upTo, write) => commit(upTo, write));
      }
    },
  });

  it('applies what comes before the next event that cannot be applied, and dead-letters that', async () => {
    const { sequences, lane, deferrals, deadLettered, retry, row } = await waiting([13, 1, 14, 4]);
    failFor(14);
    expect(await retry()).toEqual({ done: true, reason: null });
    expect(await row()).toMatchObject({ sequences: sequences.slice(0, 2) });
    const waits = [{ aggregate: 'a', from: sequences[2], kind: 'failed', reason: 'told to fail for 14' }];
    expect(await deferrals.list()).toMatchObject(waits);
    expect([...lane.deferrals.values()]).toMatchObject(waits);
    expect(await retry()).toEqual({ done: false, reason: 'told to fail for 14', isFault: true });
    failFor();
    expect(await retry()).toEqual({ done: true, reason: null });
    expect(await row()).toMatchObject({ sum: 32, sequences });
    expect(await deferrals.list()).toEqual([]);
    expect(deadLettered).toEqual([sequences[2]]);
  });

  it('fails when its event still cannot be applied, also where a later one is to be left out', async () => {
    const { sequences, deferral, deferrals, deadLettered, retry } = await waiting([13, 14]);
    failFor(13, 14);
    const refused = { done: false, reason: 'told to fail for 13', isFault: true };
    expect(await retry()).toEqual(refused);
    expect(await retry({}, sequences[1])).toEqual(refused);
    expect(await deferrals.list()).toEqual([deferral]);
    expect(deadLettered).toEqual([]);
  });

  it('dead-letters a later event that cannot be read', async () => {
    const { connection, stream } = system.parts;
    const append = async () => void (await connection.request(`${stream}.a`, 'no event at all'));
    const { sequences, last, deferrals, deadLettered, retry, row } = await waiting([13, 1], undefined, append);
    expect(await retry({}, sequences[0])).toEqual({ done: true, reason: null });
    expect(await row()).toMatchObject({ sum: 1 });
    expect(await deferrals.list()).toMatchObject([{ from: last - 1, type: null, kind: 'unreadable' }]);
    expect(deadLettered).toEqual([last - 1]);
    expect(await retry()).toEqual({ done: false, reason: expect.stringContaining('cannot be read: '), isFault: true });
    expect(await retry({}, last - 1)).toEqual({ done: true, reason: null });
    expect(await deferrals.list()).toEqual([]);
  });

  /** Lets an event fail in every batch, and the first so many times by itself. @returns how often it was by itself */
  const failAlone = (n: number, times: number, onTry: (tries: number) => void = () => undefined) => {
    const seen = { tries: 0 };
    system.faults.beforeWrite = (events) => {
      const isIn = events.some((event) => event.type === 'Counted' && event.data.n === n);
      if (isIn && events.length > 1) throw new TypeError('told to fail');
      if (!isIn) return;
      seen.tries += 1;
      onTry(seen.tries);
      if (seen.tries <= times) throw new TypeError('told to fail');
    };
    return seen;
  };

  it('tries the event that it is about only once, and keeps the lane', async () => {
    const { lost, retry } = await waiting([13]);
    const seen = failAlone(13, 9);
    expect(await retry()).toMatchObject({ done: false, isFault: true });
    expect([seen.tries, lost]).toEqual([1, []]);
  });

  it.each([
    { failures: 3, applied: 3, letters: 0 },
    { failures: 9, applied: 1, letters: 1 },
  ])('dead-letters a later event after four attempts: $failures fail', async ({ failures, applied, letters }) => {
    const { sequences, deferrals, deadLettered, retry, row } = await waiting([13, 14, 4]);
    const seen = failAlone(14, failures);
    expect(await retry()).toEqual({ done: true, reason: null });
    expect(await row()).toMatchObject({ sequences: sequences.slice(0, applied) });
    expect([seen.tries, deadLettered]).toEqual([4, sequences.slice(1, 1 + letters)]);
    expect(await deferrals.list()).toHaveLength(letters);
  });

  it.each([1, 4])('dead-letters nothing when everything is stopped during attempt %i', async (attempt) => {
    const { sequences, deferrals, deadLettered, retry } = await waiting([13, 14]);
    const stopping = new AbortController();
    failAlone(14, 9, (tries) => {
      if (tries === attempt) stopping.abort();
    });
    expect(await retry({ signal: stopping.signal })).toMatchObject({ done: false, isFault: false });
    expect(await deferrals.list()).toMatchObject([{ from: sequences[1], reason: 'told to fail' }]);
    expect(deadLettered).toEqual([]);
  });

  it('moves the checkpoint of the lane first, so that its events are not applied again after a crash', async () => {
    const { sequences, index, last, lane, checkpoints, deferrals, retry } = await waiting([1, 2]);
    const [first = 0] = sequences;
    await checkpoints.move([{ lane: index, epoch: 1, from: last, to: first, lastEvent: null }], 'now');
    lane.open(first, 1);
    // As by a batch of deferred events.
    lane.tracker.moveTo(last);
    expect(await retry()).toEqual({ done: true, reason: null });
    expect(await deferrals.list()).toEqual([]);
    const stored = (await checkpoints.read()).find((each) => each.lane === index);
    expect([stored?.position, lane.checkpoint]).toEqual([last, last]);
  });

  it('is not done where an instance may have lost the lane without noticing', async () => {
    const { lane, deferral, retry } = await waiting([13]);
    const refused = { done: false, reason: 'The lease of the lane was not renewed in time', isFault: false };
    expect(await retry({ isHeld: () => false })).toEqual(refused);
    // Another instance has deferred the aggregate meanwhile.
    lane.deferrals.clear();
    expect(await retry({ isHeld: () => false })).toEqual(refused);
    lane.close();
    expect(await retry()).toMatchObject({ done: false });
    lane.open(deferral.from, 2);
    expect(await retry()).toEqual({ done: true, reason: null });
  });

  it('writes nothing outside of a transaction once its lease may have lapsed', async () => {
    let isHeld = true;
    let isWritten = false;
    const { retry } = await waiting([1], () => ({
      apply: async ({ assertHeld }) => {
        // The process has stood still for longer than its lease lasts.
        isHeld = false;
        assertHeld();
        isWritten = true;
      },
    }));
    const refused = { done: false, reason: 'The lease of the lane was not renewed in time', isFault: false };
    expect(await retry({ isHeld: () => isHeld })).toEqual(refused);
    expect(isWritten).toBe(false);
  });

  it('blames no event for a lane that is busy', async () => {
    const { lane, retry } = await waiting([1]);
    const release = lane.occupy();
    expect(await retry({}, undefined, 1)).not.toHaveProperty('isFault');
    release();
  });

  it('dead-letters nothing while the log is away', async () => {
    const { sequences, deferral, deferrals, deadLettered, retry } = await waiting([13, 1]);
    system.faults.beforeWrite = () => {
      throw unavailable();
    };
    const refused = { done: false, reason: 'The event log is away', isFault: false };
    expect(await retry({}, sequences[0])).toEqual(refused);
    expect(await deferrals.list()).toEqual([deferral]);
    expect(deadLettered).toEqual([]);
  });

  it('that fails after a part of its batch applies that part only once', async () => {
    let isAway = true;
    const { sequences, lane, retry, row } = await waiting([1, 2, 3], (store) =>
      stepByStep(store, (step) => {
        if (step === 1 && isAway) throw unavailable();
      }),
    );
    expect(await retry()).toMatchObject({ done: false });
    expect(await row()).toMatchObject({ sum: 1 });
    isAway = false;
    expect(await retry()).toEqual({ done: true, reason: null });
    expect(await row()).toMatchObject({ sum: 6, sequences });
    expect(lane.deferrals.size).toBe(0);
  });

  it('never goes back, also when something of earlier events is written first', async () => {
    const { deferral, deferrals, lane, retry } = await waiting([1, 2], () => ({
      apply: async (_batch, commit) => {
        await commit(0, async () => undefined);
        throw unavailable();
      },
    }));
    expect(await retry()).toMatchObject({ done: false });
    expect(await deferrals.list()).toEqual([deferral]);
    expect(lane.deferrals.get('a')).toEqual(deferral);
  });

  it('that ends after another instance has taken the lane over leaves the aggregate to that', async () => {
    const { index, lane, deferrals, checkpoints, retry, whenScanned } = await waiting([1, 2]);
    const definition = whenScanned(() => checkpoints.fence([{ lane: index, epoch: 2 }]));
    // Nothing is written for an event that does not matter, so that the takeover shows at the end only.
    expect(await retry({ definition: { ...definition, types: [] } })).toMatchObject({ done: false });
    expect(await deferrals.list()).toHaveLength(1);
    expect(lane.isOwned).toBe(true);
  });

  it('whose lane was lost and is opened again changes nothing that is known since', async () => {
    const { index, last, lane, deferrals, checkpoints, moves, retry } = await waiting([1, 2]);
    const reopenAfter: LaneMoves['moveWith'] = async (...written) => {
      await moves.moveWith(...written);
      await checkpoints.fence([{ lane: index, epoch: 2 }]);
      await deferrals.remove('a');
      lane.open(last, 2);
      lane.deferrals.clear();
    };
    const refused = { done: false, reason: 'The lane was taken over; try again', isFault: false };
    expect(await retry({ checkpoints: { ...moves, moveWith: reopenAfter } })).toEqual(refused);
    expect(lane.deferrals.size).toBe(0);
    expect(await deferrals.list()).toEqual([]);
  });

  it.each([1, 2])('whose commit %i has no answer gives the lane up, and applies nothing again', async (unanswered) => {
    const { sequences, last, lane, lost, deferrals, moves, retry, row } = await waiting([1, 2]);
    let commits = 0;
    const answerLost: LaneMoves['moveWith'] = async (...written) => {
      await moves.moveWith(...written);
      commits += 1;
      if (commits === unanswered) throw new MongoNetworkError('The connection is closed');
    };
    const refused = { done: false, reason: 'The connection is closed', isFault: false };
    expect(await retry({ checkpoints: { ...moves, moveWith: answerLost } })).toEqual(refused);
    expect(lost).toEqual([lane]);
    expect(await retry()).toMatchObject({ done: false, isFault: false });
    expect(await row()).toMatchObject({ sum: 3, sequences });
    lane.open(last, 1);
    lane.deferrals.clear();
    for (const deferral of await deferrals.list()) lane.deferrals.set('a', deferral);
    expect(await retry()).toEqual({ done: true, reason: null });
    expect(await row()).toMatchObject({ sum: 3, sequences });
    expect(await deferrals.list()).toEqual([]);
  });

  it.each([[[]], [['Noted']]] as const)(
    'applies nothing of types that do not matter, and is done: %j',
    async (types) => {
      const append = async () => void (await system.append('a', { type: 'Noted', data: { text: 'x' } }));
      const { lane, deferrals, retry } = await waiting([1, 2], undefined, append);
      expect(await retry({ definition: system.definition({ types }) })).toEqual({ done: true, reason: null });
      expect([lane.deferrals.size, await deferrals.list()]).toEqual([0, []]);
    },
  );
});
