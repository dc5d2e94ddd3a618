import { expect, it } from 'vitest';
import { stateOf, type TaskRecord } from './task-store.ts';

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
