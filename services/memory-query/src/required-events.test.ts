import { agentKey, type MemoryEvent, memorySubjects } from '@mneme/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listOperations } from './operations/queries.ts';
import { createRequiredSequence, type RequiredEventsDeps } from './required-events.ts';
import { agentStats } from './stats/queries.ts';
import { createLogWriter } from './testing/events.ts';
import { startFollowedLog } from './testing/followed-log.ts';

const alice = { space: 'public', agentId: 'alice' };
const subject = memorySubjects.operationsOf(alice);
const isNoFact = (type: string | undefined) => type !== 'FactsExtracted';

let followed: Awaited<ReturnType<typeof startFollowedLog>>;
/** Facts are applied when they are let go. */
const letGo = Promise.withResolvers<void>();

beforeAll(async () => {
  followed = await startFollowedLog(async (events) => {
    if (events.some(({ type }) => type === 'FactsExtracted')) await letGo.promise;
  });
});
afterAll(() => {
  letGo.resolve();
  return followed?.stop();
});

/** @returns its sequence */
async function append(operationId: string, { type, data }: MemoryEvent): Promise<number> {
  const event = { type, data } as MemoryEvent;
  const context = { correlationId: 'test' };
  return (await followed.store.append(memorySubjects.operation(alice, operationId), [event], 'any', context)).sequence;
}

it('while the facts of a batch are applied, only the other events of operations are required', async () => {
  const { readModel, reads, store } = followed;
  const log = createLogWriter(alice.space, alice.agentId);
  const required = createRequiredSequence(followed, isNoFact);
  expect(await required(subject, {})).toBe(0);
  expect(await required(subject, { minSequence: 9 })).toBe(9);
  const submitted = await append('o', log.submitted('o', null, 'Alice sails.'));
  expect(await required(subject, {})).toBe(submitted);
  const extracted = await append('o', await log.extracted('o', null, 'Alice sails.'));

  const minSequence = await required(subject, {});
  expect(minSequence).toBeGreaterThanOrEqual(submitted);
  expect(minSequence).toBeLessThan(extracted);
  expect(await required(subject, { minSequence: extracted })).toBe(extracted);
  const rows = await reads.ofAgent(alice, minSequence);
  expect((await listOperations(rows, alice)).operations).toMatchObject([{ id: 'o', status: 'pending' }]);
  expect(await agentStats(rows, alice)).toMatchObject({ total_nodes: 0, pending_operations: 1 });

  const later = await append('p', log.submitted('p', null, 'Alice rows.'));
  // An instance that does not hold the lane does not know how far it is.
  const elsewhere = { await: async () => false, position: () => 0 };
  for (const model of [readModel, elsewhere])
    expect(await createRequiredSequence({ store, readModel: model }, isNoFact)(subject, {})).toBe(later);

  letGo.resolve();
  expect(await required(subject, {})).toBe(later);
  expect(readModel.position(agentKey(alice))).toBeGreaterThanOrEqual(extracted);
  expect((await listOperations(await reads.ofAgent(alice, later), alice)).operations).toMatchObject([{ id: 'p' }]);
});

it('callers share one look at the log, but none gets what was found before it called', async () => {
  let looks = 0;
  const deps: RequiredEventsDeps = {
    store: { head: async () => 7, lastOfType: async () => (looks += 1) },
    readModel: { await: async () => false, position: () => 0 },
  };
  const required = createRequiredSequence(deps, isNoFact);
  const found = await Promise.all(Array.from({ length: 5 }, () => required(subject, {})));
  expect(found).toEqual([1, 2, 2, 2, 2]);
});
