import { createLimiter } from '@mneme/workers';
import { expect, test } from 'vitest';
import { ModelError, type ModelErrorCode } from '../model-error.ts';
import { type CallsOptions, createCalls } from './request-policy.ts';

function setUp(options: Partial<CallsOptions> = {}) {
  const delays: number[] = [];
  const calls = createCalls({
    limiter: createLimiter(4),
    timeoutMs: 10_000,
    maxRetries: 3,
    redact: (text) => text,
    clock: () => new Date('2026-11-20T12:00:00Z'),
    sleep: async (delayMs) => {
      delays.push(delayMs);
    },
    random: () => 0,
    onRetry: () => {},
    ...options,
  });
  return { calls, delays };
}

function serverError(status: number, headers: Record<string, string> = {}) {
  return Object.assign(new Error(`${status} no`), { status, headers: new Headers(headers) });
}

/** Fails with each of the errors, then works. */
function failing(...errors: readonly Error[]) {
  const left = [...errors];
  let tries = 0;
  const attempt = async () => {
    tries += 1;
    const error = left.shift();
    if (error !== undefined) throw error;
    return 'worked';
  };
  return { attempt, tries: () => tries };
}

async function codeOf(running: Promise<unknown>): Promise<ModelErrorCode> {
  const error = await running.then(
    () => expect.unreachable(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelError);
  return (error as ModelError).code;
}

test('waits double, and are less by a random part', async () => {
  const errors = Array.from({ length: 3 }, () => serverError(500));
  const least = setUp();
  expect(await least.calls.run('m', failing(...errors).attempt)).toBe('worked');
  expect(least.delays).toEqual([250, 500, 1000]);
  const most = setUp({ random: () => 1 });
  await most.calls.run('m', failing(...errors).attempt);
  expect(most.delays).toEqual([500, 1000, 2000]);
});

test.each([
  ['7', 7000],
  ['Fri, 20 Nov 2026 12:00:09 GMT', 9000],
  ['0', 250],
])('a server that asks to wait %s is not asked before', async (value, expected) => {
  const { calls, delays } = setUp();
  await calls.run('m', failing(serverError(429, { 'retry-after': value })).attempt);
  expect(delays).toEqual([expected]);
});

test('a server that asks to wait for long is not waited for, and the error says how long', async () => {
  const { calls, delays } = setUp();
  const running = calls.run('m', failing(serverError(429, { 'retry-after': '3600' })).attempt);
  await expect(running).rejects.toMatchObject({
    code: 'rate-limited',
    retryAfterMs: 3_600_000,
    message: 'm: the server allows no more requests now and asks to wait 3600 s (status 429).',
  });
  expect(delays).toEqual([]);
});

test.each([
  [500, 'unavailable', 4],
  [503, 'unavailable', 4],
  [429, 'rate-limited', 4],
  [408, 'timeout', 2],
  [400, 'configuration', 1],
  [401, 'authentication', 1],
  [403, 'authentication', 1],
  [404, 'configuration', 1],
  [422, 'configuration', 1],
  [501, 'configuration', 1],
] as const)('status %i is %s after %i tries', async (status, code, tries) => {
  const { calls } = setUp();
  const work = failing(...Array.from({ length: 9 }, () => serverError(status)));
  expect(await codeOf(calls.run('m', work.attempt))).toBe(code);
  expect(work.tries()).toBe(tries);
});

test('a broken connection is tried again', async () => {
  const { calls } = setUp();
  const broken = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
  expect(await calls.run('m', failing(broken, broken).attempt)).toBe('worked');
});

test('a try that does not end is given up, tried once more, and then reported', async () => {
  const { calls } = setUp({ timeoutMs: 20 });
  let tries = 0;
  const running = calls.run('m', () => {
    tries += 1;
    return new Promise(() => {});
  });
  await expect(running).rejects.toMatchObject({ code: 'timeout', message: 'm: no answer within 0.02 s.' });
  expect(tries).toBe(2);
});

test('the signal of a try is aborted when its time is over', async () => {
  const { calls } = setUp({ timeoutMs: 20, maxRetries: 0 });
  let aborted = false;
  const attempt = (signal: AbortSignal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        aborted = true;
        reject(new Error('AbortError'));
      });
    });
  expect(await codeOf(calls.run('m', attempt))).toBe('timeout');
  expect(aborted).toBe(true);
});

test.each(['during a try', 'while waiting for the next'])('the caller can end it %s', async (when) => {
  const abort = new AbortController();
  const end = () => abort.abort(new Error('enough'));
  const { calls } = setUp({
    sleep: async (_, signal) => {
      end();
      signal?.throwIfAborted();
    },
  });
  const attempt = () => {
    if (when === 'during a try') queueMicrotask(end);
    return when === 'during a try' ? new Promise(() => {}) : Promise.reject(serverError(500));
  };
  await expect(calls.run('m', attempt, abort.signal)).rejects.toThrow('enough');
});

test('a call that waits for its next try takes no place from others', async () => {
  const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
  const { calls } = setUp({ limiter: createLimiter(1), sleep: () => woken });
  const waiting = calls.run('m', failing(serverError(500)).attempt);
  expect(await calls.run('m', async () => 'other')).toBe('other');
  wake();
  expect(await waiting).toBe('worked');
});
