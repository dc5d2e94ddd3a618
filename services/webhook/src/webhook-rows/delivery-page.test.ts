import { expect, it } from 'vitest';
import { toDelivery } from './delivery-page.ts';
import type { StoredDelivery } from './rows.ts';

const createdAt = new Date('2026-01-01T12:00:00.000Z');
const received: StoredDelivery = {
  _id: 7,
  webhookId: 1,
  origin: 1,
  sourceIp: '127.0.0.1',
  createdAt,
  payload: '{}',
  bytes: 2,
  status: 'received',
  processedAt: null,
  error: null,
};

it.each([
  [null, null],
  ['2026-01-01T12:00:01.000Z', '2026-01-01T12:00:01.000Z'],
  ['2026-01-01T11:00:00.000Z', '2026-01-01T12:00:00.000Z'],
])('a delivery is processed after it came, whichever clock went back: %s', (at, shown) => {
  const delivery = { ...received, processedAt: at === null ? null : new Date(at) };
  expect(toDelivery(1, delivery).processed_at).toBe(shown);
});
