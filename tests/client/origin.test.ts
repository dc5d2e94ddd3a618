import type { Agent, Mneme } from '@mneme/client';
import { beforeAll, expect, test } from 'vitest';
import { clientOf } from '../system/client-of.ts';
import { newPerson } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

let system: SharedSystem;
let userId: number;
let mneme: Mneme;
let alice: Agent;
beforeAll(async () => {
  system = await shareSystem();
  const person = await newPerson(system.http);
  ({ userId } = person);
  mneme = clientOf(person);
  alice = mneme.agent('alice');
  return system.release;
});

test('a memory says where it comes from, is corrected, and is found by its new text', async () => {
  await alice.remember('Carla moved to Lisbon.', { documentId: 'chat' });
  const [listed] = await alice.memories.list().all();
  const id = listed?.id ?? '';
  expect(await alice.memories.get(id)).toMatchObject({
    text: 'Carla moved to Lisbon.',
    document: { id: 'chat' },
    origin: { principal: { kind: 'user', id: userId } },
  });
  expect(await mneme.memory(id)).toEqual(await alice.memories.get(id));
  const correction = { text: 'Carla moved to Porto.', expectedText: 'Carla moved to Lisbon.' };
  await alice.memories.update(id, correction, { idempotencyKey: 'porto' });
  await alice.memories.update(id, correction, { idempotencyKey: 'porto' });
  await expect(alice.memories.update(id, correction)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  const corrected = await alice.memories.get(id);
  expect(corrected).toMatchObject({ text: 'Carla moved to Porto.', history: [{ text: 'Carla moved to Lisbon.' }] });
  expect((await alice.recall('Where did Carla move?')).results[0]).toMatchObject({ id, text: 'Carla moved to Porto.' });
  await expect(alice.memories.update(id, { text: ' ' })).rejects.toMatchObject({ status: 422 });
  await alice.memories.delete(id);
  await expect(alice.memories.get(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
