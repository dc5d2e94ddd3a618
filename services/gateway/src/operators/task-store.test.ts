import { expect, it } from 'vitest';
import { bucketDeps } from '../testing/bucket-deps.ts';
import { startGatewayFixture } from '../testing/gateway-fixture.ts';
import { openTaskStore, stateOf, type TaskRecord } from './task-store.ts';

const running: TaskRecord = {
  id: '0',
  kind: 'rebuild',
  target: 'access',
  targetKind: 'read-model',
  startedBy: 1,
  startedAt: '2026-01-01T11:00:00.000Z',
  finishedAt: null,
  seenAt: '2026-01-01T11:59:50.000Z',
  result: null,
  error: null,
};

it('a task runs for as long as a gateway waits for it, and is interrupted when none does', () => {
  expect(stateOf({ task: running, ageMs: 29_000 })).toBe('running');
  expect(stateOf({ task: running, ageMs: 31_000 })).toBe('interrupted');
  // The clock of NATS was set back.
  expect(stateOf({ task: running, ageMs: -3_600_000 })).toBe('interrupted');
});

it('a task that has ended stays what it is', () => {
  const ended = { ...running, finishedAt: '2026-01-01T11:10:00.000Z', seenAt: '2026-01-01T11:10:00.000Z' };
  expect(stateOf({ task: { ...ended, result: {} }, ageMs: 0 })).toBe('completed');
  expect(stateOf({ task: { ...ended, error: 'No room' }, ageMs: 0 })).toBe('failed');
});

it('the age of a record is by the clock of NATS, whatever those of the gateways say', async () => {
  const fixture = await startGatewayFixture();
  const store = await openTaskStore(bucketDeps(fixture.connection));
  for (const seenAt of ['1999-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z']) {
    await store.put({ ...running, seenAt }, (await store.find(running))?.revision ?? 0);
    const ages = [(await store.find(running))?.ageMs, ...(await store.list()).map(({ ageMs }) => ageMs)];
    for (const ageMs of ages) expect(ageMs).toSatisfy((age: number) => age >= 0 && age < 10_000);
  }
  await fixture.stop();
});

it('lists each task once while one is written', async () => {
  const fixture = await startGatewayFixture();
  const store = await openTaskStore(bucketDeps(fixture.connection));
  await store.put({ ...running, target: 'webhook' }, 0);
  let revision = (await store.put(running, 0)) ?? 0;
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) revision = (await store.put(running, revision)) ?? revision;
  })();
  const lengths = new Set<number>();
  for (let lists = 0; lists < 200; lists += 1) lengths.add((await store.list()).length);
  isWriting = false;
  await writing;
  await fixture.stop();
  expect([...lengths]).toEqual([2]);
});
