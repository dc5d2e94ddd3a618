import { createLimiter } from '@mneme/workers';
import { describe, expect, test } from 'vitest';
import { ModelError, type ModelErrorCode } from '../model-error.ts';
import { createRateLimit } from './rate-limit.ts';
import { createRequestPolicy, type RequestPolicyOptions } from './request-policy.ts';

function setUp(options: Partial<RequestPolicyOptions> = {}) {
  const delays: number[] = [];
  const policy = createRequestPolicy({
    limiter: createLimiter(4),
    rateLimit: createRateLimit({ random: () => 0, onPause: () => undefined }),
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
  return { policy, delays };
}

function serverError(status: number, headers: Record<string, string> = {}) {
  return Object.assign(new Error(`${status} no`), { status, headers: new Headers(headers) });
}

/** Fails with each of the errors, then succeeds. */
function failing(...errors: readonly Error[]) {
  const left = [...errors];
  let attempts = 0;
  const attempt = async () => {
    attempts += 1;
    const error = left.shift();
    if (error !== undefined) throw error;
    return 'worked';
  };
  return { attempt, attempts: () => attempts };
}

async function codeOf(running: Promise<unknown>): Promise<ModelErrorCode> {
  const error = await running.then(
    () => expect.unreachable(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelError);
  return (error as ModelError).code;
}

test('delays double, less a random part', async () => {
  const errors = Array.from({ length: 3 }, () => serverError(500));
  const least = setUp();
  expect(await least.policy.run('m', failing(...errors).attempt)).toBe('worked');
  expect(least.delays).toEqual([250, 500, 1000]);
  const most = setUp({ random: () => 1 });
  await most.policy.run('m', failing(...errors).attempt);
  expect(most.delays).toEqual([500, 1000, 2000]);
});

test.each([
  ['7', 7000],
  ['Fri, 20 Nov 2026 12:00:09 GMT', 9000],
  ['0', 250],
])('Retry-After %s is respected', async (value, expected) => {
  const { policy, delays } = setUp();
  await policy.run('m', failing(serverError(429, { 'retry-after': value })).attempt);
  // Counted from the refusal on.
  expect(delays).toEqual([expect.closeTo(expected, -2)]);
});

test('a long Retry-After ends the retries, and the error has it', async () => {
  const { policy, delays } = setUp();
  const running = policy.run('m', failing(serverError(429, { 'retry-after': '3600' })).attempt);
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
  [402, 'quota', 1],
  [403, 'authentication', 1],
  [404, 'configuration', 1],
  [422, 'configuration', 1],
  [501, 'configuration', 1],
] as const)('status %i is %s after %i attempts', async (status, code, attempts) => {
  const { policy } = setUp();
  const work = failing(...Array.from({ length: 9 }, () => serverError(status)));
  expect(await codeOf(policy.run('m', work.attempt))).toBe(code);
  expect(work.attempts()).toBe(attempts);
});

test('a broken connection is retried', async () => {
  const { policy } = setUp();
  const broken = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
  expect(await policy.run('m', failing(broken, broken).attempt)).toBe('worked');
});

test('an attempt that does not end is retried once, then reported as a timeout', async () => {
  const { policy } = setUp({ timeoutMs: 20 });
  let attempts = 0;
  const running = policy.run('m', () => {
    attempts += 1;
    return new Promise(() => {});
  });
  await expect(running).rejects.toMatchObject({ code: 'timeout', message: 'm: no answer within 0.02 s.' });
  expect(attempts).toBe(2);
});

test('the signal of an attempt is aborted after the timeout', async () => {
  const { policy } = setUp({ timeoutMs: 20, maxRetries: 0 });
  let aborted = false;
  const attempt = (signal: AbortSignal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        aborted = true;
        reject(new Error('AbortError'));
      });
    });
  expect(await codeOf(policy.run('m', attempt))).toBe('timeout');
  expect(aborted).toBe(true);
});

test.each(['during an attempt', 'while it waits for the next one'])(
  'the caller can abort a request %s',
  async (when) => {
    const abort = new AbortController();
    const end = () => abort.abort(new Error('enough'));
    const { policy } = setUp({
      sleep: async (_, signal) => {
        end();
        signal?.throwIfAborted();
      },
    });
    const attempt = () => {
      if (when === 'during an attempt') queueMicrotask(end);
      return when === 'during an attempt' ? new Promise(() => {}) : Promise.reject(serverError(500));
    };
    await expect(policy.run('m', attempt, abort.signal)).rejects.toThrow('enough');
  },
);

test('a request that waits for a retry does not count towards the concurrency limit', async () => {
  const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
  const { policy } = setUp({ limiter: createLimiter(1), sleep: () => woken });
  const waiting = policy.run('m', failing(serverError(500)).attempt);
  expect(await policy.run('m', async () => 'other')).toBe('other');
  wake();
  expect(await waiting).toBe('worked');
});

describe('a rate limit', () => {
  test('keeps all requests waiting, also those that come later, and none fails because of it', async () => {
    const pauses: number[] = [];
    const sleeping: (() => void)[] = [];
    const { policy } = setUp({
      rateLimit: createRateLimit({ random: () => 0, onPause: (_, pauseMs) => pauses.push(pauseMs) }),
      sleep: () => new Promise((resolve) => sleeping.push(resolve)),
    });
    const attempts: string[] = [];
    const request = (name: string, attempt: () => Promise<string>) =>
      policy.run('m', () => {
        attempts.push(name);
        return attempt();
      });
    const first = request('first', failing(serverError(429, { 'retry-after': '7' })).attempt);
    const second = request('second', failing(serverError(429)).attempt);
    await expect.poll(() => sleeping.length).toBe(2);
    const third = request('third', failing().attempt);
    await expect.poll(() => sleeping.length).toBe(3);
    expect(attempts).toEqual(['first', 'second']);
    expect(pauses).toEqual([7000]);
    for (const wake of sleeping) wake();
    await Promise.all([first, second, third]);
    expect(attempts).toEqual(['first', 'second', 'first', 'second', 'third']);
  });

  test('is met by a request that waited for its turn meanwhile', async () => {
    const { promise: refused, reject: refuse } = Promise.withResolvers<string>();
    const abort = new AbortController();
    const { policy } = setUp({
      limiter: createLimiter(1),
      sleep: (_, signal) => new Promise((_resolve, reject) => signal?.addEventListener('abort', reject)),
    });
    const work = failing();
    const both = [() => refused, work.attempt].map((attempt) => policy.run('m', attempt, abort.signal));
    refuse(serverError(429));
    await new Promise(setImmediate);
    expect(work.attempts()).toBe(0);
    abort.abort();
    await Promise.allSettled(both);
  });

  test('does not count as attempts where there is time, until the request has waited long enough', async () => {
    const { policy, delays } = setUp({ maxLimitedMs: 60_000 });
    const refusals = (count: number) => Array.from({ length: count }, () => serverError(429));
    expect(await policy.run('m', failing(...refusals(7)).attempt)).toBe('worked');
    const expected = [250, 500, 1000, 2000, 4000, 8000, 16_000];
    expect(delays).toEqual(expected.map((delayMs) => expect.closeTo(delayMs, -2)));
    const hopeless = failing(...refusals(99));
    expect(await codeOf(policy.run('m', hopeless.attempt))).toBe('rate-limited');
    expect(hopeless.attempts()).toBeGreaterThan(7);
    expect(hopeless.attempts()).toBeLessThan(20);
  });

  test('does not count as attempts for a request that waits for long while others are answered', async () => {
    const rateLimit = createRateLimit({ random: () => 0, onPause: () => undefined });
    const refuse = () => {
      const failure = new ModelError('rate-limited', 'm: no', { status: 429, retryAfterMs: 30_000 });
      rateLimit.refused(failure, performance.now());
    };
    let pauses = 0;
    const sleep = async () => {
      rateLimit.answered(performance.now());
      pauses += 1;
      if (pauses < 6) refuse();
    };
    refuse();
    const { policy } = setUp({ rateLimit, sleep, maxRetries: 0, maxLimitedMs: 60_000 });
    expect(await policy.run('m', failing(serverError(429)).attempt)).toBe('worked');
    expect(pauses).toBe(7);
  });

  test('makes a request wait alone that is refused again and again while others are answered', async () => {
    let pauses = 0;
    const rateLimit = createRateLimit({ random: () => 0, onPause: () => (pauses += 1) });
    const { policy: other } = setUp({ rateLimit });
    const { policy } = setUp({ rateLimit, maxLimitedMs: 60_000 });
    let attempts = 0;
    const tooLarge = async () => {
      attempts += 1;
      await other.run('m', failing().attempt);
      throw serverError(429);
    };
    expect(await codeOf(policy.run('m', tooLarge))).toBe('rate-limited');
    expect(pauses).toBe(3);
    expect(attempts).toBeGreaterThan(7);
    expect(attempts).toBeLessThan(20);
  });

  test('makes a request wait as long as Retry-After says also when it waits alone, and the log has it', async () => {
    const rateLimit = createRateLimit({ random: () => 0, onPause: () => undefined });
    const logged: unknown[] = [];
    const { policy: other } = setUp({ rateLimit });
    const { policy, delays } = setUp({
      rateLimit,
      maxLimitedMs: 600_000,
      onRetry: ({ code, retryAfterMs }, delayMs) => logged.push({ code, retryAfterMs, delayMs }),
    });
    const work = failing(...Array.from({ length: 5 }, () => serverError(429, { 'retry-after': '45' })));
    await policy.run('m', async () => {
      await other.run('m', failing().attempt);
      return work.attempt();
    });
    expect(logged).toEqual(Array(3).fill({ code: 'rate-limited', retryAfterMs: 45_000, delayMs: 45_000 }));
    // Three more are the pauses that the first three refusals began.
    expect(delays).toEqual(Array(6).fill(expect.closeTo(45_000, -3)));
  });

  test('is for the refused request alone when it may not wait as long as Retry-After says', async () => {
    let pauses = 0;
    const rateLimit = createRateLimit({ random: () => 0, onPause: () => (pauses += 1) });
    const question = setUp({ rateLimit, maxRetryAfterMs: 10_000 }).policy;
    const asking = question.run('m', failing(serverError(429, { 'retry-after': '30' })).attempt);
    await expect(asking).rejects.toMatchObject({ code: 'rate-limited', retryAfterMs: 30_000 });
    const { policy, delays } = setUp({ rateLimit });
    expect(await policy.run('m', failing().attempt)).toBe('worked');
    expect(delays).toEqual([]);
    expect(pauses).toBe(0);
  });

  test.each([
    ['that the server asked for', 60_000],
    ['that it did not ask for', undefined],
  ])('tells a request that may not wait how much is left of a pause %s', async (_, retryAfterMs) => {
    const failure = new ModelError('rate-limited', 'other words', { status: 429, retryAfterMs });
    const rateLimit = {
      ...createRateLimit({ random: () => 0, onPause: () => undefined }),
      pause: () => ({ failure, endsAtMs: performance.now() + 12_000 }),
    };
    const asking = setUp({ rateLimit, maxRetryAfterMs: 10_000 }).policy.run('m', failing().attempt);
    await expect(asking).rejects.toMatchObject({
      code: 'rate-limited',
      status: 429,
      retryAfterMs: expect.closeTo(12_000, -2),
      message: 'm: the server allows no more requests now; try again in 12 s (status 429).',
    });
  });

  test('that takes longer than a request may wait is reported to it at once', async () => {
    const limits = { rateLimit: createRateLimit({ random: () => 0, onPause: () => undefined }) };
    const { promise: question, resolve: end } = Promise.withResolvers<void>();
    const sleeping: number[] = [];
    const sleep = async (delayMs: number) => {
      sleeping.push(delayMs);
      await question;
    };
    const batch = setUp({ ...limits, sleep }).policy.run(
      'm',
      failing(serverError(429, { 'retry-after': '30' })).attempt,
    );
    await expect.poll(() => sleeping).toEqual([expect.closeTo(30_000, -2)]);
    const asked = failing();
    const asking = setUp({ ...limits, maxRetryAfterMs: 10_000 }).policy.run('m', asked.attempt);
    expect(await codeOf(asking)).toBe('rate-limited');
    expect(asked.attempts()).toBe(0);
    end();
    expect(await batch).toBe('worked');
  });
});
