import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RefusedAppends } from './refused-appends.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const refused = { stream: 'MEMORY', outcome: 'failed', isAway: true } as const;
const appended = { stream: 'MEMORY', outcome: 'appended', isAway: false } as const;

function refusing() {
  const appends = new RefusedAppends();
  appends.note(refused);
  vi.advanceTimersByTime(10_000);
  expect(appends.reason).toBeUndefined();
  appends.note(refused);
  expect(appends.reason).toBe('takes no events: MEMORY');
  return appends;
}

it('a stream that has taken no events for 10 s refuses them, until it takes some', () => {
  const appends = refusing();
  appends.note({ ...appended, stream: 'WEBHOOKS' });
  appends.note({ ...refused, isAway: false });
  expect(appends.reason).toBe('takes no events: MEMORY');
  appends.note(appended);
  expect(appends.reason).toBeUndefined();
});

it('a conflict shows that the stream answers', () => {
  const appends = refusing();
  appends.note({ ...appended, outcome: 'conflict' });
  expect(appends.reason).toBeUndefined();
});

it('a failure is forgotten after a minute, because a caller who waits until this is ready would wait for good', () => {
  const appends = refusing();
  vi.advanceTimersByTime(59_999);
  expect(appends.reason).toBe('takes no events: MEMORY');
  vi.advanceTimersByTime(1);
  expect(appends.reason).toBeUndefined();
  appends.note(refused);
  expect(appends.reason).toBeUndefined();
});

it('nothing is known of a server that was restarted', () => {
  const appends = refusing();
  appends.forget();
  expect(appends.reason).toBeUndefined();
});
