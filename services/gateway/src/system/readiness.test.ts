import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint } from '@mneme/contracts';
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

it('says that a read model is being built whose version of another release is complete', async () => {
  const kept = { version: 1, state: 'live', deferrals: [] };
  const readModels = [{ name: 'sums', reason: 'sums is being built', versions: [kept] }];
  const { checks } = await checkReadiness({
    connection: reachable,
    client: { request: async () => ({ readModels }) as never },
    heads: async () => 1,
    refusing: () => undefined,
  });
  expect(checks.keys).toBe('sums is rebuilding');
});

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

it.each([
  ['names a stream that is missing, which takes no events either', true, 'The stream MEMORY is missing'],
  ['says which streams take no events where all are there', false, 'takes no events: MEMORY'],
])('%s', async (_title, isMissing, expected) => {
  const { checks } = await checkReadiness({
    connection: reachable,
    client: { request: async () => ({ readModels: [] }) as never },
    heads: async () => {
      if (isMissing) throw Object.assign(new Error('The stream MEMORY is missing'), { name: 'StreamMissingError' });
    },
    refusing: () => 'takes no events: MEMORY',
  });
  expect(checks['event-log']).toBe(expected);
});

describe('of a service with an instance that gets no answer from MongoDB', () => {
  const lost = { readModels: [], unavailable: ['mongodb'] };
  const readinessOf = (request: (endpoint: Endpoint) => Promise<unknown>) =>
    checkReadiness({
      connection: reachable,
      client: { request: request as never },
      heads: async () => 1,
      refusing: () => undefined,
    });
  /** @param replies what its instances say, in turn */
  const readinessWith = (...replies: readonly unknown[]) => {
    let asked = 0;
    return readinessOf(async () => replies[asked++ % replies.length]);
  };

  it('names what does not answer', async () => {
    const { isReady, checks } = await readinessWith(lost);
    expect([isReady, checks.keys]).toEqual([false, 'mongodb is unavailable']);
  });

  it('is ready where another instance can answer', async () => {
    expect(await readinessWith(lost, { readModels: [], unavailable: [] })).toMatchObject({ isReady: true });
  });

  it.each([
    [3, 0],
    [11, 0],
    [3, 2_000],
    [11, 2_000],
  ])('is ready where NATS chooses it %i times first, and it answers after %i ms', async (times, afterMs) => {
    const asked = new Map<string, number>();
    const request = async ({ service }: Endpoint) => {
      const before = asked.get(service) ?? 0;
      asked.set(service, before + 1);
      if (before >= times) return { readModels: [], unavailable: [] };
      await pause(afterMs);
      return lost;
    };
    expect(await readinessOf(request)).toMatchObject({ isReady: true });
  });

  it('names what does not answer once it is known, where there is no other instance', async () => {
    const startedAt = performance.now();
    const known = pause(2_000, lost);
    const { checks } = await readinessOf(() => known);
    expect(checks.keys).toBe('mongodb is unavailable');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('is not ready because another instance leaves requests to it', async () => {
    const held = { takesRequests: false, readModels: [], unavailable: [] };
    expect(await readinessWith(held, lost)).toMatchObject({ isReady: false });
  });

  it('believes an earlier release, which does not say', async () => {
    expect(await readinessWith({ readModels: [] })).toMatchObject({ isReady: true });
  });
});
