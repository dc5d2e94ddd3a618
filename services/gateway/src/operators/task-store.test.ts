import { expect, it } from 'vitest';
import { bucketDeps } from '../testing/bucket-deps.ts';
import { startGatewayFixture } from '../testing/gateway-fixture.ts';
import { openTaskStore, stateOf, type TaskRecord } from './task-store.ts';

const now = Date.parse('2026-01-01T12:00:00.000Z');
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
  expect(stateOf(running, now)).toBe('running');
  expect(stateOf({ ...running, seenAt: '2026-01-01T11:59:29.000Z' }, now)).toBe('interrupted');
});

it('a task that has ended stays what it is', () => {
  const ended = { ...running, finishedAt: '2026-01-01T11:10:00.000Z', seenAt: '2026-01-01T11:10:00.000Z' };
  expect(stateOf({ ...ended, result: {} }, now)).toBe('completed');
  expect(stateOf({ ...ended, error: 'No room' }, now)).toBe('failed');
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
