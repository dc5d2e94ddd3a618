import { randomUUID } from 'node:crypto';
import { type AccessEvent, accessEvents, accessStream, accessSubjects } from '@mneme/contracts';
import { beforeEach, expect, it } from 'vitest';
import { connectEventStore, type EventStore } from '../event-store.ts';
import { ensureStream } from '../log/ensure-stream.ts';
import { context, useTestLog } from '../testing/test-log.ts';
import { createIds } from './ids.ts';

const log = useTestLog();
let store: EventStore<AccessEvent>;
beforeEach(async () => {
  const { connection } = log;
  await ensureStream(connection, { ...accessStream, replicas: 1 });
  store = connectEventStore({ connection, stream: accessStream.name, catalog: accessEvents, source: 'test' });
});

it('ids count from 1, of each kind by itself, without a gap', async () => {
  const ids = createIds({ store, subjects: accessSubjects });
  const taken = await Promise.all([1, 2, 3].map(() => ids.take('project', context)));
  expect(taken).toEqual([1, 2, 3]);
  expect(await ids.take('space', context)).toBe(1);
  expect(await createIds({ store, subjects: accessSubjects }).take('project', context)).toBe(4);
});

it('several instances at once never give out the same id', async () => {
  const instances = [1, 2, 3, 4].map(() => createIds({ store, subjects: accessSubjects }));
  const taking = Array.from({ length: 100 }, (_, index) => instances[index % 4]?.take('key', context));
  const taken = await Promise.all(taking);
  expect(new Set(taken).size).toBe(100);
  expect(Math.max(...taken.map(Number))).toBe(100);
});

it('a command has one id, however many callers ask how often', async () => {
  const command = { kind: 'key', userId: 1, commandId: randomUUID() } as const;
  const asked = Array.from({ length: 8 }, () =>
    createIds({ store, subjects: accessSubjects }).assign(command, context),
  );
  expect(new Set(await Promise.all(asked)).size).toBe(1);
  const subject = accessSubjects.command(command.kind, command.userId, command.commandId);
  expect((await store.load(subject)).events).toHaveLength(1);
  const others = { ...command, userId: 2 };
  const [first] = await Promise.all(asked);
  expect(await createIds({ store, subjects: accessSubjects }).assign(others, context)).not.toBe(first);
});
