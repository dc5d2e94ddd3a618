import { setTimeout as pause } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/nats-core';
import { expect, it } from 'vitest';
import { checkReadiness } from './readiness.ts';

const reachable = { request: async () => ({}), flush: async () => undefined } as unknown as NatsConnection;

it.each([
  [true, false],
  [undefined, false],
  // Another instance answers.
  [false, true],
])(
  'of a service whose read models are being built, where the instance takes requests: %j',
  async (takesRequests, isReady) => {
    const building = { name: 'sums', reason: 'sums is being built', versions: [] };
    const readiness = await checkReadiness({
      connection: reachable,
      client: { request: async () => ({ takesRequests, readModels: [building] }) as never },
      heads: async () => 1,
      refusing: () => undefined,
    });
    expect(readiness).toMatchObject({ isReady });
  },
);

it('takes services for ready whose answers need more than a second, as over long links', async () => {
  const request = async (_subject: string, _data: unknown, { timeout }: { timeout: number }) => {
    await pause(Math.min(1_200, timeout));
    if (timeout < 1_200) throw new Error('timeout');
  };
  const readiness = await checkReadiness({
    connection: { request, flush: async () => undefined } as unknown as NatsConnection,
    client: { request: async () => ({ readModels: [] }) as never },
    heads: async () => 1,
    refusing: () => undefined,
  });
  expect(readiness).toMatchObject({ isReady: true });
});
