import { expect, it } from 'vitest';
import { BUCKETS_BYTES, maxStoreBytes } from './nats.ts';

const gibibyte = 1024 ** 3;

it('stores three quarters of the free space besides what is stored already', () => {
  expect(maxStoreBytes(2 * gibibyte, 100 * gibibyte)).toBe(77 * gibibyte);
  expect(maxStoreBytes(2 * gibibyte, 0)).toBe(2 * gibibyte);
});

it('has room for all buckets on a disk with little free space, since nothing starts without them', () => {
  expect(maxStoreBytes(0, gibibyte)).toBe(BUCKETS_BYTES);
});
