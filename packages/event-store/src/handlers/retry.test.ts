import { waitUntil } from '@mneme/local-stack/testing';
import { expect, it } from 'vitest';
import { retrySubject } from '../dead-letters/dead-letters.ts';
import { openEraser } from '../erasure/eraser.ts';
import { behindFor } from '../testing/slow-connections.ts';
import { context, countedTo, type TestEvent, useTestLog } from '../testing/test-log.ts';
import type { HandlerOptions } from './handler-options.ts';

type Options = HandlerOptions<TestEvent, 'Counted'>;

const log = useTestLog();

/** Runs a handler that has handled two events, and then is given those of retries. */
async function runRetried(options: Partial<Options> & Pick<Options, 'handle'>) {
  await log.store.append(`${log.stream}.a`, countedTo(2), 0, context);
  let isRetried = false;
  const handler = await log.run({
    ...options,
    handle: async (event, control) => {
      if (isRetried) await options.handle(event, control);
    },
  });
  await waitUntil(async () => (await handler.pending()) === 0);
  isRetried = true;
  return handler;
}

/** Asks for a retry. @returns the error in the answer, if any */
async function retry(sequence: number): Promise<string | undefined> {
  const subject = retrySubject(log.stream, 'counting');
  const reply = await log.connection.request(subject, String(sequence), { timeout: 20_000 });
  return reply.json<{ error?: string }>().error;
}

it('a retry is handled although the replica that is asked does not have the event yet', async () => {
  const seen: number[] = [];
  const connection = behindFor(log.connection, 1);
  await runRetried({ connection, handle: async ({ data }) => void seen.push(data.n) });
  expect(await retry(2)).toBeUndefined();
  expect(seen).toEqual([2]);
});

it('a retry of an erased event fails, whether there is a later one or not', async () => {
  const seen: number[] = [];
  await runRetried({ handle: async ({ data }) => void seen.push(data.n) });
  await openEraser(log.connection, log.stream).erase([1]);
  expect(await retry(1)).toBe('The event is no longer in the log');
  await openEraser(log.connection, log.stream).erase([2]);
  expect(await retry(2)).toBe('The event is no longer in the log');
  expect(seen).toEqual([]);
});

it('a handler that is stopped waits for its running retries, which are answered', async () => {
  const begun = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  const steps: string[] = [];
  const idle = await log.run({ durable: 'idle', handle: async () => undefined });
  const handler = await runRetried({
    stopTimeoutMs: 60_000,
    handle: async () => {
      begun.resolve();
      await ending.promise;
      steps.push('handled');
    },
  });
  const answered = retry(1);
  await begun.promise;
  const stopped = handler.stop().then(() => steps.push('stopped'));
  // A handler that has no retry to wait for stops in the meantime.
  await idle.stop();
  await expect(retry(2)).rejects.toThrow('no responders');
  expect(steps).toEqual([]);
  ending.resolve();
  await stopped;
  expect(steps).toEqual(['handled', 'stopped']);
  expect(await answered).toBeUndefined();
});

it('a retry that does not end in time is let go and is answered as failed', async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  const handler = await runRetried({
    stopTimeoutMs: 100,
    handle: async (_event, { signal }) => {
      begun.resolve(signal);
      await new Promise(() => undefined);
    },
  });
  const answered = retry(1);
  const signal = await begun.promise;
  await handler.stop();
  expect(signal.aborted).toBe(true);
  expect(await answered).toBe('The handler was stopped');
});
