import { setTimeout as pause } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/nats-core';
import { describe, expect, it } from 'vitest';
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

describe('of a service with an instance that gets no answer from MongoDB', () => {
  const lost = { readModels: [], unavailable: ['mongodb'] };
  /** @param replies what its instances say, in turn */
  const readinessWith = (...replies: readonly unknown[]) => {
    let asked = 0;
    return checkReadiness({
      connection: reachable,
      client: { request: async () => replies[asked++ % replies.length] as never },
      heads: async () => 1,
      refusing: () => undefined,
    });
  };

  it('names what does not answer', async () => {
    const { isReady, checks } = await readinessWith(lost);
    expect([isReady, checks.keys]).toEqual([false, 'mongodb is unavailable']);
  });

  it('is ready where another instance can answer', async () => {
    expect(await readinessWith(lost, { readModels: [], unavailable: [] })).toMatchObject({ isReady: true });
  });

  it('is not ready because another instance leaves requests to it', async () => {
    const held = { takesRequests: false, readModels: [], unavailable: [] };
    expect(await readinessWith(held, lost)).toMatchObject({ isReady: false });
  });

  it('believes an earlier release, which does not say', async () => {
    expect(await readinessWith({ readModels: [] })).toMatchObject({ isReady: true });
  });
});
