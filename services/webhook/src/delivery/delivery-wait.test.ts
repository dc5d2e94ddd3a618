import { createFairLimiter } from '@mneme/workers/fair-limiter';
import { expect, test, vi } from 'vitest';
import { createDeliveryWait, waitWithout } from './delivery-wait.ts';

const limiter = createFairLimiter({
  atOnce: 1,
  maxWaiting: 10,
  maxHoldMs: 60_000,
  refusal: () => new Error('Too many wait'),
});

test('a read that waits long for deliveries to be processed holds up no other', async () => {
  const processed = Promise.withResolvers<boolean>();
  const deliveryWait = createDeliveryWait({
    processing: { await: () => processed.promise },
    readModel: { await: async () => true },
    head: async () => 8,
    lastDelivery: async () => 7,
  });
  const others = vi.fn(async () => undefined);
  const read = limiter.run(['quiet', ''], (slot) => waitWithout(slot, deliveryWait).untilProcessed(['table-1']));
  // A tenant with a running read has no share of the reserve.
  await limiter.run(['quiet', ''], others);
  expect(others).toHaveBeenCalledOnce();
  processed.resolve(true);
  await expect(read).resolves.toBe(7);
});
