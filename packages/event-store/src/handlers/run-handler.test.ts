import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '@mneme/local-stack/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, errors } from '@nats-io/transport-node';
import { describe, expect, it, vi } from 'vitest';
import { EventLogUnavailableError, HopelessError } from '../errors.ts';
import { changing } from '../testing/slow-connections.ts';
import { context, counted, countedTo, handlerOptions, type TestEvent, useTestLog } from '../testing/test-log.ts';
import type { HandlerOptions } from './handler-options.ts';

const log = useTestLog();

type Options = HandlerOptions<TestEvent, 'Counted'>;

/** Appends an event that has been delivered `times` times, and never handled. */
async function appendDelivered(times: number): Promise<void> {
  await (await log.run({ handle: async () => undefined })).stop();
  await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
  const consumer = await jetstream(log.connection).consumers.get(log.stream, 'counting');
  for (let time = 1; time <= times; time += 1) (await consumer.next({ expires: 5_000 }))?.nak();
}

describe('a handler', () => {
  it('handles every event of its types once, in all instances together, and passes over the others', async () => {
    const seen: number[] = [];
    const handle: Options['handle'] = async (event) => void seen.push(event.data.n);
    await log.store.append(`${log.stream}.a`, [{ type: 'Noted', data: { text: 'x' } }, ...countedTo(100)], 0, context);
    const both = [await log.run({ handle }), await log.run({ handle })];
    await log.store.append(`${log.stream}.b`, [counted(101)], 0, context);
    await waitUntil(async () => (await both[0]?.pending()) === 0);
    expect(seen.toSorted((a, b) => a - b)).toEqual(countedTo(101).map((_, index) => index + 1));
  });

  it('waits for a stream that is missing, and names it in a few lines of the log', async () => {
    const seen: number[] = [];
    const warn = vi.fn();
    const logger = { ...handlerOptions(log).logger, warn };
    await log.run({ handle: async (event) => void seen.push(event.data.n), logger });
    const { streams } = await jetstreamManager(log.connection);
    const { config } = await streams.info(log.stream);
    await streams.delete(log.stream);
    await waitUntil(() => warn.mock.calls.some(([about]) => about.err.message === 'stream not found'));
    await pause(1_500);
    expect(warn.mock.calls.length).toBeLessThan(4);
    expect(warn).toHaveBeenLastCalledWith(
      expect.objectContaining({ handler: 'counting', stream: log.stream }),
      'Waiting for the event log to hand out events',
    );
    await streams.add(config);
    await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
    await waitUntil(() => seen.length === 1);
  });

  it('goes on where it stopped', async () => {
    const seen: number[] = [];
    const handle: Options['handle'] = async (event) => void seen.push(event.data.n);
    await log.store.append(`${log.stream}.a`, countedTo(3), 0, context);
    const first = await log.run({ handle });
    await waitUntil(() => seen.length === 3);
    await first.stop();
    await log.store.append(`${log.stream}.a`, [counted(4)], 3, context);
    await log.run({ handle, ackWaitMs: 3_000, concurrency: 2 });
    await waitUntil(() => seen.length === 4);
    expect(seen.at(-1)).toBe(4);
  });

  it('never works on more events at once than the concurrency of its instances', async () => {
    let running = 0;
    let most = 0;
    let done = 0;
    const handle = async () => {
      running += 1;
      most = Math.max(most, running);
      // Long enough for an instance to offer the others what waits.
      await pause(80);
      running -= 1;
      done += 1;
    };
    await log.store.append(`${log.stream}.a`, countedTo(60), 0, context);
    for (const concurrency of [2, 1]) await log.run({ handle, concurrency });
    await waitUntil(() => done === 60);
    expect(most).toBe(3);
  });

  it('tries a bounded number of times, waits in between, and then makes the failure known', async () => {
    const tries: number[] = [];
    const waits: number[] = [];
    const exhausted = vi.fn(async () => undefined);
    await log.store.append(`${log.stream}.a`, countedTo(2), 0, context);
    const handler = await log.run({
      concurrency: 1,
      handle: async (event, { deliveryCount }) => {
        if (event.data.n !== 1) return;
        tries.push(deliveryCount);
        throw new Error('the model says no');
      },
      backoffMs: (count) => {
        waits.push(count);
        return 10 * count;
      },
      onExhausted: exhausted,
    });
    await waitUntil(async () => (await handler.pending()) === 0);
    expect(tries).toEqual([1, 2, 3]);
    expect(waits).toEqual([1, 2]);
    expect(exhausted).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ data: { n: 1 } }),
      expect.objectContaining({ message: 'the model says no' }),
    );
  });

  it('gives no event up in an outage, however long, unless other events succeed', async () => {
    let isAway = true;
    const done: number[] = [];
    const tries = new Map<number, number>();
    const exhausted = vi.fn(async () => undefined);
    await log.store.append(`${log.stream}.a`, countedTo(3), 0, context);
    const handler = await log.run({
      concurrency: 3,
      maxTries: 3,
      isOutage: ({ message }) => message === 'the service is away',
      handle: async ({ data: { n } }) => {
        if (n === 3) return 'idle';
        tries.set(n, (tries.get(n) ?? 0) + 1);
        if (isAway || n === 1) throw new Error('the service is away');
        done.push(n);
        return undefined;
      },
      onExhausted: exhausted,
    });
    await waitUntil(() => [...tries.values()].every((count) => count > 6) && tries.size === 2);
    expect(exhausted).not.toHaveBeenCalled();
    isAway = false;
    await waitUntil(async () => (await handler.pending()) === 0);
    expect(done).toEqual([2]);
    expect(exhausted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ data: { n: 1 } }), expect.any(Error));
  });

  it.each([
    ['nothing', undefined, 20],
    ['less than it waits anyway', 5, 20],
    ['more', 60_000, 60_000],
    ['more than 15 minutes', 3_600_000, 900_000],
  ])('waits for as long as an error asks, within bounds: %s', async (_, askedMs, expectedMs) => {
    const warn = vi.fn();
    await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
    await log.run({
      handle: () => Promise.reject(new Error('not now')),
      retryAfterMs: ({ message }) => (message === 'not now' ? askedMs : expect.unreachable()),
      logger: { ...handlerOptions(log).logger, warn },
    });
    await waitUntil(() => warn.mock.calls.length > 0);
    expect(warn.mock.calls[0]).toMatchObject([{ waitMs: expectedMs }, 'An event will be tried again']);
  });

  it('lets no event that waits for its next try hold up the others', async () => {
    const seen: number[] = [];
    await log.store.append(`${log.stream}.a`, countedTo(20), 0, context);
    const handler = await log.run({
      concurrency: 1,
      handle: async (event) => {
        if (event.data.n <= 10) throw new Error('not now');
        seen.push(event.data.n);
      },
      backoffMs: () => 60_000,
    });
    await waitUntil(() => seen.length === 10);
    expect(await handler.pending()).toBeGreaterThanOrEqual(10);
  });

  it('gives up an event that ends the process every time, and not those that waited behind it', async () => {
    const begun: number[] = [];
    const errors: string[] = [];
    const onExhausted: Options['onExhausted'] = async ({ data }, error) =>
      void errors.push(`${data.n}: ${error.message}`);
    await log.store.append(`${log.stream}.a`, countedTo(4), 0, context);
    const options = { concurrency: 1, ackWaitMs: 400, onExhausted };
    for (let death = 1; death <= 6; death += 1) {
      const connection = await connect({ servers: log.stack.natsUrl });
      const dying = await log.run({
        ...options,
        connection,
        handle: async (event) => {
          begun.push(event.data.n);
          // As if the process had died: nothing is given back, and no one is told.
          if (event.data.n === 1) await connection.close();
          else await pause(100);
        },
      });
      await connection.closed();
      await dying.stop();
    }
    const seen: number[] = [];
    const handler = await log.run({ ...options, handle: async (event) => void seen.push(event.data.n) });
    await waitUntil(async () => (await handler.pending()) === 0);
    expect(errors).toEqual(['1: Interrupted 6 times']);
    expect(begun.filter((n) => n === 1)).toHaveLength(6);
    expect([...new Set([...begun, ...seen])].toSorted()).toEqual([1, 2, 3, 4]);
    expect(seen).not.toContain(1);
  });

  it('counts no delivery as a try that has not begun', async () => {
    const handle = vi.fn(async (_event: unknown, { deliveryCount }: { deliveryCount: number }) => {
      if (deliveryCount < 10) throw new Error('not yet');
    });
    const exhausted = vi.fn(async () => undefined);
    await appendDelivered(7);
    const handler = await log.run({ handle, onExhausted: exhausted });
    await waitUntil(async () => (await handler.pending()) === 0);
    // The eighth to the tenth delivery, of three tries that are allowed.
    expect(handle).toHaveBeenCalledTimes(3);
    expect(exhausted).not.toHaveBeenCalled();
  });

  it('counts deliveries where failures cannot be kept, so that no event is tried for ever', async () => {
    const { streams } = await jetstreamManager(log.connection);
    await streams.delete('KV_handler-attempts').catch(() => undefined);
    await streams.add({ name: 'IN_THE_WAY', subjects: ['$KV.handler-attempts.>'] });
    const errors: string[] = [];
    const handle = vi.fn(() => Promise.reject(new Error('the model says no')));
    const onExhausted: Options['onExhausted'] = async (_event, error) => void errors.push(error.message);
    await appendDelivered(6);
    await log.store.append(`${log.stream}.a`, [counted(2)], 1, context);
    const handler = await log.run({ handle, onExhausted });
    await waitUntil(async () => (await handler.pending()) === 0);
    expect(errors.toSorted()).toEqual(['Interrupted 6 times', 'the model says no']);
    expect(handle).toHaveBeenCalledTimes(3);
    await handler.stop();
    await streams.delete('IN_THE_WAY');
  });

  it('gives up at once what is hopeless', async () => {
    const handle = vi.fn(() => Promise.reject(new HopelessError('the key is wrong')));
    await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
    const handler = await log.run({ handle, onExhausted: 'dead-letter', backoffMs: () => 60_000 });
    await waitUntil(async () => (await handler.pending()) === 0);
    expect(handle).toHaveBeenCalledOnce();
    expect(await log.deadLetters()).toMatchObject([
      { by: 'counting', reason: 'the key is wrong', position: { sequence: 1 } },
    ]);
  });

  it('tries again later when the failure itself cannot be made known', async () => {
    let calls = 0;
    await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
    const handler = await log.run({
      maxTries: 1,
      handle: () => Promise.reject(new Error('no')),
      onExhausted: async () => {
        calls += 1;
        if (calls < 4) throw new EventLogUnavailableError('away');
      },
    });
    await waitUntil(async () => (await handler.pending()) === 0);
    expect(calls).toBe(4);
  });

  it('does not give an event up because the event log is away, also while it is given back', async () => {
    let isAway = false;
    const connection = changing(log.connection, {
      request: (subject, ...message) => {
        if (!isAway || !subject.includes('handler-attempts')) return log.connection.request(subject, ...message);
        isAway = false;
        return Promise.reject(new errors.TimeoutError());
      },
    });
    const handle = vi.fn(async (_event: unknown, { deliveryCount }: { deliveryCount: number }) => {
      if (deliveryCount === 10) return;
      isAway = deliveryCount > 3;
      throw new EventLogUnavailableError('away');
    });
    const exhausted = vi.fn(async () => undefined);
    await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
    const handler = await log.run({ connection, maxTries: 3, handle, onExhausted: exhausted });
    await waitUntil(async () => (await handler.pending()) === 0);
    expect(handle).toHaveBeenCalledTimes(10);
    expect(exhausted).not.toHaveBeenCalled();
  });

  it('lets running work end when it is stopped, and gives back what does not end in time', async () => {
    const ended: number[] = [];
    await log.store.append(`${log.stream}.a`, countedTo(2), 0, context);
    let started = 0;
    const first = await log.run({
      stopTimeoutMs: 300,
      ackWaitMs: 60_000,
      handle: async (event) => {
        started += 1;
        await (event.data.n === 1 ? pause(100) : new Promise(() => undefined));
        ended.push(event.data.n);
      },
    });
    await waitUntil(() => started === 2);
    await first.stop();
    expect(ended).toEqual([1]);
    await log.run({ ackWaitMs: 60_000, handle: async (event) => void ended.push(event.data.n) });
    await waitUntil(() => ended.length === 2);
    expect(ended).toEqual([1, 2]);
  });

  it('goes on when its durable consumer was deleted', async () => {
    const seen: number[] = [];
    await log.run({ handle: async (event) => void seen.push(event.data.n) });
    await (await jetstreamManager(log.connection)).consumers.delete(log.stream, 'counting');
    await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
    await waitUntil(() => seen.length === 1);
  });
});
