import { agentKey } from '@mneme/contracts';
import { behind } from '@mneme/read-models';
import { beforeEach, describe, expect, it } from 'vitest';
import { createReads, type Reads } from './reads.ts';

const space = 'public';
const alice = agentKey({ space, agentId: 'alice' });
const bob = agentKey({ space, agentId: 'bob' });
/** The event at which reads ask to be, which is one of bob's. */
const minSequence = 7;

/** Agents of which an event, up to `minSequence`, is not applied yet, or could not be. */
let late: Set<string>;
let deferred: Set<string>;
/** Called when a read waits for lanes that are late. */
let whileWaiting: () => void;
/** How long lanes were waited for, in milliseconds. */
let waits: { readonly of: string | undefined; readonly forMs: number }[];
let lookUps: number;
/** The position of all lanes, as far as this instance knows. */
let position: number;
let reads: Reads;

beforeEach(() => {
  [late, deferred, waits, lookUps, whileWaiting] = [new Set(), new Set(), [], 0, () => undefined];
  position = minSequence;
  const isLate = (aggregate: string | undefined) => (aggregate === undefined ? late.size > 0 : late.has(aggregate));
  const assertCurrent = (aggregate: string) => {
    if (deferred.has(aggregate)) throw behind('An event could not be applied');
  };
  const deferrals = () => [...deferred].map((aggregate) => ({ aggregate, from: minSequence }));
  const readModel = {
    assertCurrent,
    await: async (_sequence: number, forMs: number, of?: string) => {
      waits.push({ of, forMs });
      if (of !== undefined) assertCurrent(of);
      if (isLate(of) && forMs > 0) whileWaiting();
      return !isLate(of);
    },
    status: () => [{ deferrals: deferrals() }],
    position: () => position,
    contents: () => ({
      collections: { removals: { find: () => ({ toArray: async () => [] }) } },
      remembered: { of: () => undefined },
    }),
    isHere: () => true,
  };
  reads = createReads(readModel as unknown as Parameters<typeof createReads>[0], async () => {
    lookUps += 1;
    return bob;
  });
});

it('a read of an agent includes what it has waited for, also where another instance holds the lane', async () => {
  position = 0;
  const agent = { space, agentId: 'bob' };
  expect((await reads.toSearch(agent, minSequence)).readAt).toBe(minSequence);
  expect((await reads.ofAgent(agent, minSequence)).readAt).toBe(minSequence);
  expect((await reads.ofSpace(space, minSequence)).readAt).toBe(0);
  position = minSequence + 1;
  expect((await reads.toSearch(agent, minSequence)).readAt).toBe(minSequence + 1);
});

it('a read that has waited in vain names the event, if it waited for one', async () => {
  late = new Set([bob]);
  const agent = { space, agentId: 'bob' };
  await expect(reads.ofAgent(agent, minSequence)).rejects.toThrow(/has not applied event 7 yet; try again$/);
  await expect(reads.ofAgent(agent, 0)).rejects.toThrow(/not certain what the read model has applied, .*; try again$/);
});

describe('a read of a space at a position', () => {
  it('does not look the event up when all agents are there', async () => {
    await reads.reached({ space, minSequence });
    await reads.ofSpace(space, minSequence);
    expect(lookUps).toBe(0);
  });

  it('waits for a moment for the other agents to which the client may have written before', async () => {
    late = new Set([alice]);
    whileWaiting = () => late.clear();
    await reads.reached({ space, minSequence });
    expect(waits).toEqual([{ of: undefined, forMs: 250 }]);
    expect(lookUps).toBe(0);
  });

  it('then waits only for the agent of the event, and not again when it has its turn', async () => {
    late = new Set([alice]);
    await reads.reached({ space, minSequence });
    expect(waits.map(({ of }) => of)).toEqual([undefined, bob]);
    waits = [];
    await reads.ofSpace(space, minSequence);
    expect(waits).toMatchObject([{ of: undefined, forMs: 0 }, { of: bob }]);
    late = new Set([bob]);
    const behindEvent = { status: 503, code: 'READ_MODEL_BEHIND' };
    await expect(reads.reached({ space, minSequence })).rejects.toMatchObject(behindEvent);
    await expect(reads.ofSpace(space, minSequence)).rejects.toMatchObject(behindEvent);
  });

  it('is answered although an event of another agent could not be applied, but not if it is this event', async () => {
    deferred = new Set([alice]);
    await reads.reached({ space, minSequence });
    deferred = new Set([bob]);
    await expect(reads.reached({ space, minSequence })).rejects.toMatchObject({ code: 'READ_MODEL_BEHIND' });
  });
});
