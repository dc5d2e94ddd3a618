import { describe, expect, it, vi } from 'vitest';
import { type Deferral, Lane } from '../lanes/lane.ts';
import type { LaneAnswer } from '../lanes/lane-requests.ts';
import { catalog, logger, olderCatalogs, sumOf, useTestSystem } from '../testing/test-read-model.ts';
import { UnknownTypes } from './unknown-types.ts';

const deferral: Deferral = {
  aggregate: 'a',
  lane: 0,
  from: 7,
  type: 'Noted',
  typeVersion: 2,
  kind: 'unknown-type',
  reason: 'The type Noted is not known to this release',
};

describe('aggregates that wait for a type', () => {
  const failed: LaneAnswer = { done: false, reason: 'told to fail', isFault: true };

  /** Two lanes of which this instance holds the first, where an aggregate waits. */
  function takingUp({ answer = failed, definitions = catalog.definitions } = {}) {
    const lanes = [new Lane(0), new Lane(1)] as const;
    lanes[0].open(9, 1);
    lanes[0].deferrals.set('a', deferral);
    const seen = { tries: 0, claims: [] as (readonly number[])[], asked: [] as number[], stored: [] as Deferral[] };
    const system = { answer };
    const unknownTypes = new UnknownTypes({
      key: 'sums@1',
      catalog: { definitions },
      positions: { lanes },
      leases: { claim: (claimed) => seen.claims.push(claimed) },
      access: {
        retryHere: async ({ deferrals }) => {
          seen.tries += 1;
          if (system.answer.done) deferrals.clear();
          return system.answer;
        },
        askToYield: async ({ index }) => void seen.asked.push(index),
      },
      deferrals: { put: async (put) => void seen.stored.push(put) },
      commitOf: () => async (_upTo, write) => write(undefined as never),
      onFree: () => undefined,
      logger,
    });
    /** As a renewal does; returns when what it begins is over. */
    const renew = async (foreign: readonly Deferral[] = []) => {
      unknownTypes.takeUp(foreign);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { lanes, seen, system, unknownTypes, renew };
  }

  it('wait for an operator when their events keep failing', async () => {
    const { lanes, seen, renew } = takingUp();
    const renewed = { ...deferral, kind: 'failed', reason: 'told to fail' };
    for (let renewals = 1; renewals <= 3; renewals += 1) await renew();
    expect([seen.tries, seen.stored]).toEqual([3, []]);
    for (let renewals = 4; renewals <= 6; renewals += 1) await renew();
    expect([seen.tries, seen.stored]).toEqual([4, [renewed]]);
    expect([lanes[0].deferrals.get('a'), lanes[0].isInWork]).toEqual([renewed, false]);
    expect(seen.claims.at(-1)).toEqual([]);
  });

  it('are tried on while it is not their events that fail', async () => {
    const { seen, system, renew } = takingUp();
    system.answer = { done: false, reason: 'The event log is away', isFault: false };
    for (let renewals = 1; renewals <= 3; renewals += 1) await renew();
    system.answer = { done: false, reason: 'The lane is busy; try again' };
    for (let renewals = 4; renewals <= 6; renewals += 1) await renew();
    expect([seen.tries, seen.stored]).toEqual([6, []]);
    system.answer = { done: true, reason: null };
    await renew();
    await renew();
    expect([seen.tries, seen.stored]).toEqual([7, []]);
  });

  it('have their lane claimed only as long as they wait', async () => {
    const { seen, renew } = takingUp({ answer: { done: true, reason: null } });
    await renew([{ ...deferral, aggregate: 'b', lane: 1 }]);
    await renew();
    expect(seen.claims).toEqual([[0, 1], []]);
    expect(seen.asked).toEqual([1]);
  });

  it.each(['type', 'version'] as const)('are waited with for a release that knows the %s', async (lacking) => {
    const { lanes, seen, unknownTypes, renew } = takingUp(olderCatalogs[lacking]);
    await renew();
    expect([seen.tries, unknownTypes.isWaiting(lanes[0])]).toEqual([0, true]);
    const newer = takingUp();
    expect(newer.unknownTypes.isWaiting(newer.lanes[0])).toBe(false);
  });
});

describe('an event of a type that two instances know and cannot apply', () => {
  const system = useTestSystem();

  it('ends up waiting for an operator', async () => {
    const older = await system.start({ catalog: olderCatalogs.type, types: ['Counted', 'Ended'] });
    const sequence = await system.append('a', { type: 'Noted', data: { text: 'new' } });
    await expect(older.awaitEvent(sequence, 5_000)).rejects.toMatchObject({ code: 'READ_MODEL_BEHIND' });
    await older.stop();
    system.faults.beforeWrite = (events) => {
      if (events.some(({ type }) => type === 'Noted')) throw new TypeError('told to fail');
    };
    const both = await Promise.all([system.start(), system.start()]);
    const deferrals = () => both.map((each) => each.status()[0]?.deferrals);
    const failed = [expect.objectContaining({ aggregate: 'a', kind: 'failed', reason: 'told to fail' })];
    await vi.waitFor(() => expect(deferrals()).toEqual([failed, failed]), { timeout: 15_000 });
    system.faults.beforeWrite = () => undefined;
    await both[0].retry(1, 'a');
    expect(await sumOf(both[0], 'a')).toBe(0);
  });
});
