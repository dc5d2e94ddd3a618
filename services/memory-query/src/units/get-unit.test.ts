import { agentKey, type MemoryEvent, memoryStream, memorySubjects } from '@mneme/contracts';
import { purgeSubject } from '@mneme/event-store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { startFollowedLog } from '../testing/followed-log.ts';
import { getUnit } from './get-unit.ts';

const space = 'public';
const alice = { space, agentId: 'alice' };
const bob = { space, agentId: 'bob' };

let followed: Awaited<ReturnType<typeof startFollowedLog>>;
/** The lane of alice is behind: a batch of it has begun, and ends when it is let go. */
const begun = Promise.withResolvers<void>();
const letGo = Promise.withResolvers<void>();

beforeAll(async () => {
  followed = await startFollowedLog(async (events) => {
    if (!events.some(({ data }) => 'agentId' in data && data.agentId === alice.agentId)) return;
    begun.resolve();
    await letGo.promise;
  });
});
afterAll(() => {
  letGo.resolve();
  return followed?.stop();
});

/** @returns its sequence */
async function append(subject: string, ...events: MemoryEvent[]): Promise<number> {
  const plain = events.map(({ type, data }) => ({ type, data }) as MemoryEvent);
  return (await followed.store.append(subject, plain, 'any', { correlationId: 'test' })).sequence;
}

const other = unitId('another', 0);
const forget = (agent: typeof alice) =>
  append(memorySubjects.unit(agent, other), { type: 'UnitForgotten', data: { ...agent, unitId: other } });

it('a unit is read after its event, whose agent alone is waited for; an event that is gone may be of any agent', async () => {
  const { connection, readModel, reads } = followed;
  await forget(alice);
  await begun.promise;
  const gone = await forget(bob);
  await purgeSubject(connection, memoryStream.name, memorySubjects.unit(bob, other));
  const log = createLogWriter(space, bob.agentId);
  const batch = await log.batch('o', null, 'Bob sails.');
  const minSequence = await append(memorySubjects.operation(bob, 'o'), ...batch);
  const ended: string[] = [];
  const ofGone = reads.ofSpace(space, gone).then(() => ended.push('of gone'));
  await reads.reached({ space, minSequence });
  const unit = await getUnit(followed, { space, unitId: unitId('o', 0), minSequence });
  expect(unit).toMatchObject({ agent_id: 'bob', text: 'Bob sails.' });
  expect(readModel.position(agentKey(alice))).toBeLessThan(minSequence);
  expect(ended).toEqual([]);
  letGo.resolve();
  await ofGone;
});

it('shows the corrections that a replica of the log does not have yet', async () => {
  const log = createLogWriter(space, bob.agentId);
  const batch = await log.batch('behind', null, 'Bob rows.');
  const minSequence = await append(memorySubjects.operation(bob, 'behind'), ...batch);
  const id = unitId('behind', 0);
  await append(memorySubjects.unit(bob, id), await log.corrected(id, 'Bob swims.'));
  let isBehind = true;
  const store: typeof followed.store = {
    ...followed.store,
    fold: async (subject, evolve, initial, known) => {
      if (!isBehind) return followed.store.fold(subject, evolve, initial, known);
      isBehind = false;
      return { state: initial, revision: 0, bytes: 0 };
    },
  };
  const unit = await getUnit({ ...followed, store }, { space, unitId: id, minSequence });
  expect(unit).toMatchObject({ text: 'Bob swims.', history: [{ text: 'Bob rows.' }] });
});
