import type { OperatedSystem } from '@mneme/read-models';
import { createLogger } from '@mneme/service-kit';
import { expect, it, vi } from 'vitest';
import type { StoredTask, TaskStore } from './task-store.ts';
import { createTasks } from './tasks.ts';

const name = { kind: 'verify', target: 'access', targetKind: 'read-model' } as const;

/** One record, and an acknowledgement that can be lost after the write. */
function storeInMemory() {
  let stored: StoredTask | undefined;
  const lost = { next: false };
  const store: TaskStore = {
    find: async () => stored,
    list: async () => (stored ? [stored] : []),
    put: async (task, revision) => {
      if ((stored?.revision ?? 0) !== revision) return undefined;
      stored = { task, revision: revision + 1, ageMs: 0 };
      if (!lost.next) return stored.revision;
      lost.next = false;
      throw new Error('No answer');
    },
  };
  return { store, lost };
}

function begin(store: TaskStore, clock = Date.now) {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const tasks = createTasks({ store, system: {} as OperatedSystem, logger, clock });
  const work = Promise.withResolvers<object>();
  return { tasks, work, begun: tasks.begin(name, 1, () => work.promise) };
}

it('an outcome is kept after the acknowledgement of an earlier write was lost', async () => {
  vi.useFakeTimers();
  const { store, lost } = storeInMemory();
  const { tasks, work, begun } = begin(store);
  await begun;
  lost.next = true;
  await vi.advanceTimersByTimeAsync(5_000);
  vi.useRealTimers();
  expect(lost.next).toBe(false);
  work.resolve({ checked: 3 });
  await expect.poll(() => tasks.list()).toMatchObject([{ state: 'completed', result: { checked: 3 } }]);
});

it('an outcome does not replace another task that was begun since', async () => {
  const { store } = storeInMemory();
  const { tasks, work, begun } = begin(store);
  await begun;
  const first = await store.find(name);
  if (!first) throw new Error('Nothing is stored');
  const puts = vi.spyOn(store, 'put');
  await store.put({ ...first.task, id: 'other', finishedAt: first.task.startedAt }, first.revision);
  work.resolve({});
  await expect.poll(() => puts.mock.calls.length).toBe(2);
  expect(await tasks.list()).toMatchObject([{ id: 'other' }]);
});

it('a task that ends after the clock went back is shown to end when it began', async () => {
  const { store } = storeInMemory();
  const times = [Date.parse('2026-01-01T12:00:00.000Z'), Date.parse('2026-01-01T11:00:00.000Z')];
  const { tasks, work, begun } = begin(store, () => times.shift() ?? 0);
  const { started_at } = await begun;
  work.resolve({});
  await expect.poll(() => tasks.list()).toMatchObject([{ state: 'completed', started_at, finished_at: started_at }]);
});
