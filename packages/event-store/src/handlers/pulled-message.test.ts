import { longestStallOf } from '@mneme/workers/testing';
import { expect, it } from 'vitest';
import { createHeartbeats, type PulledMessage } from './pulled-message.ts';

/** About what it takes to send one, in milliseconds. */
const sendingMs = 0.03;

function messages(count: number, onBeat: () => void): PulledMessage[] {
  const working = () => {
    for (const endsAt = performance.now() + sendingMs; performance.now() < endsAt; );
    onBeat();
  };
  return Array.from({ length: count }, () => ({ working }) as PulledMessage);
}

it('keeps thousands of messages without holding up the event loop', async () => {
  const count = 5_000;
  const stall = await longestStallOf(async () => {
    const { promise: all, resolve } = Promise.withResolvers<void>();
    let beats = 0;
    const heartbeats = createHeartbeats(200);
    for (const message of messages(count, () => ++beats === count && resolve())) heartbeats.start(message);
    await all;
    heartbeats.stop();
  }, 50);
  expect(stall).toBeLessThan(50);
});

it('sends none for what is done', async () => {
  const beats = { done: 0, held: 0 };
  const heartbeats = createHeartbeats(40);
  for (const name of ['done', 'held'] as const) {
    const [message] = messages(1, () => {
      beats[name] += 1;
    });
    const end = message && heartbeats.start(message);
    if (name === 'done') end?.();
  }
  await expect.poll(() => beats.held).toBeGreaterThan(2);
  heartbeats.stop();
  expect(beats.done).toBe(0);
});
