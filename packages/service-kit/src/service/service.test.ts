import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { endpointsOf, WireError } from '@mneme/contracts';
import { type Stack, startTestStack } from '@mneme/local-stack/testing';
import type { NatsConnection } from '@nats-io/nats-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { isLogged } from '../errors/error-replies.ts';
import { isNatsFull, natsFullMessage } from '../errors/nats-full.ts';
import { closeNats, connectNats } from '../nats/connect.ts';
import { createMetrics } from '../process/create-metrics.ts';
import { createLogger } from '../process/logger.ts';
import { type Client, createClient, isOutOfReach, wasNotReceived } from '../request-reply/client.ts';
import { headerNames } from '../request-reply/headers.ts';
import { findInstances, isAnsweredByOther, lookForService, pingService } from './discovery.ts';
import type { RequestContext } from './request.ts';
import { type Service, startService } from './service.ts';

const endpoint = endpointsOf('echo');
const echo = endpoint('repeat', { text: z.string(), times: z.int().default(1) }, z.object({ text: z.string() }));

const options = { correlationId: 'request-1', timeoutMs: 30_000 };
const logLines: { level: string; requestId?: string; err?: { message: string } }[] = [];
const logger = createLogger({ service: 'echo', destination: { write: (line) => logLines.push(JSON.parse(line)) } });
const silent = createLogger({ service: 'test', level: 'silent' });

let stack: Stack;
let serving: NatsConnection;
let calling: NatsConnection;
let service: Service;
let client: Client;

beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
});
afterAll(() => stack.stop());

beforeEach(async () => {
  logLines.length = 0;
  serving = await connectNats({ url: stack.natsUrl, name: 'serving', logger: silent });
  calling = await connectNats({ url: stack.natsUrl, name: 'calling', logger: silent });
  service = startService({ connection: serving, name: 'echo', version: '1.2.3', logger, metrics: createMetrics() });
  client = createClient({ connection: calling });
});
afterEach(async () => {
  await service.stop();
  client.close();
  await Promise.all([closeNats(serving), closeNats(calling)]);
});

async function serveEcho(handle?: (context: RequestContext, text: string) => Promise<string> | string) {
  service.serve(echo, async ({ text, times }, context) => {
    return { text: handle ? await handle(context, text) : text.repeat(times) };
  });
  service.announce();
  await serving.flush();
}

/** A thread that is connected to NATS, and sends what it is given while this thread stands still. */
async function startSender(url: string): Promise<Worker> {
  const sender = new Worker(
    `const { parentPort, workerData: { hostname, port } } = require('node:worker_threads');
    const socket = require('node:net').connect(port, hostname);
    socket.write('CONNECT {"verbose":false,"headers":true}\\r\\n');
    socket.once('data', () => parentPort.postMessage('connected'));
    parentPort.on('message', (text) => socket.write(text));`,
    { eval: true, workerData: { hostname: new URL(url).hostname, port: Number(new URL(url).port) } },
  );
  await once(sender, 'message');
  return sender;
}

function requestText({ timeoutMs, reply }: { readonly timeoutMs: number; readonly reply: string }): string {
  const headers = `NATS/1.0\r\n${headerNames.timeoutMs}: ${timeoutMs}\r\n\r\n`;
  const body = JSON.stringify({ text: 'late' });
  return `HPUB ${echo.subject} ${reply} ${headers.length} ${headers.length + body.length}\r\n${headers}${body}\r\n`;
}

const send = (text: string, more: object = {}) => client.request(echo, { text, times: 1 }, { ...options, ...more });

describe('a request', () => {
  it('carries the request id, the actor and the deadline', async () => {
    const contexts: RequestContext[] = [];
    await serveEcho((context) => `${contexts.push(context)}`);
    await send('x', { actor: 'user:7' });
    const [context] = contexts;
    expect(context).toMatchObject({ correlationId: 'request-1', actor: 'user:7' });
    expect(context?.deadline).toBeGreaterThan(Date.now());
    expect(context?.deadline).toBeLessThanOrEqual(Date.now() + options.timeoutMs);
  });

  it('that the process reads after it stood still for longer than the caller waits is not worked on', async () => {
    const handled = vi.fn(() => 'done');
    await serveEcho(handled);
    const replies = calling.subscribe('late-reply', { max: 1 });
    await calling.flush();
    const sender = await startSender(stack.natsUrl);
    sender.postMessage(requestText({ timeoutMs: 1_000, reply: 'late-reply' }));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    for await (const reply of replies)
      expect(reply.json()).toMatchObject({ status: 503, message: expect.stringContaining('stood still for 2 s') });
    expect(handled).not.toHaveBeenCalled();
    expect(await send('again')).toEqual({ text: 'done' });
    await sender.terminate();
  });

  it('that is itself larger than a message is refused with 413', async () => {
    await serveEcho();
    await expect(send('x'.repeat(calling.info?.max_payload ?? 0))).rejects.toMatchObject({ status: 413 });
  });

  it('does not wait for a slower one', async () => {
    const release = Promise.withResolvers<void>();
    await serveEcho(async (_context, text) => {
      if (text === 'slow') await release.promise;
      return text;
    });
    const slow = send('slow');
    expect(await send('fast')).toEqual({ text: 'fast' });
    release.resolve();
    expect(await slow).toEqual({ text: 'slow' });
  });

  it('of one tenant is refused when that has many under way, and those of others are answered', async () => {
    const release = Promise.withResolvers<void>();
    const ofSpace = endpoint('of-space', { space: z.string() }, z.string());
    const small = startService({ connection: serving, name: 'echo', logger, places: 12 });
    small.serve(ofSpace, async ({ space }) => {
      if (space === 'loud') await release.promise;
      return space;
    });
    await serving.flush();
    const ask = (space: string) => client.request(ofSpace, { space }, options);
    const underWay = Array.from({ length: 4 }, () => ask('loud'));
    const message = 'The service echo is busy, try again later';
    await expect(ask('loud')).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE', message });
    expect(await ask('quiet')).toBe('quiet');
    release.resolve();
    expect(await Promise.all(underWay)).toEqual(Array(4).fill('loud'));
    expect(await ask('loud')).toBe('loud');
    await small.stop();
  });

  it('of the wrong shape is refused with 422 and says where', async () => {
    await serveEcho();
    const wrong = client.request(echo, { text: 5 } as never, options);
    await expect(wrong).rejects.toMatchObject({
      status: 422,
      code: 'UNPROCESSABLE',
      extra: { issues: [{ path: ['text'] }] },
    });
  });
});

describe('an error of a handler', () => {
  it('crosses as it is when it is a refusal, and is not logged', async () => {
    const refusal = { status: 404, code: 'NOT_FOUND', message: 'Not\nhere: ü', extra: { id: 7 } } as const;
    await serveEcho(() => Promise.reject(new WireError(refusal)));
    await expect(send('x')).rejects.toMatchObject(refusal);
    expect(logLines).toEqual([]);
  });

  it('crosses with the code and message that the handler gave it, and is logged with its cause', async () => {
    const failure = { status: 500, code: 'INTERNAL_ERROR', message: 'Failed to list' } as const;
    await serveEcho(() => Promise.reject(new WireError(failure, { cause: new Error('no such row') })));
    const error = await send('x').catch((thrown) => thrown);
    expect(error).toMatchObject(failure);
    expect(isLogged(error)).toBe(true);
    expect(logLines).toMatchObject([{ level: 'error', requestId: 'request-1' }]);
    expect(JSON.stringify(logLines)).toContain('no such row');
  });

  it('that is unexpected crosses without its message, and is logged once with the request id', async () => {
    await serveEcho(() => Promise.reject(new Error('mongodb://user:secret@host failed')));
    const failed = await send('x').catch((error: WireError) => error);
    expect(failed).toMatchObject({ status: 500, code: 'INTERNAL_ERROR', message: 'Internal error', extra: {} });
    expect(isLogged(failed as WireError)).toBe(true);
    expect(logLines).toHaveLength(1);
    expect(logLines[0]).toMatchObject({ level: 'error', requestId: 'request-1' });
  });

  it('about a store out of reach is 503', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    await serveEcho(() => Promise.reject(new Error('Could not read', { cause: refused })));
    await expect(send('x')).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' });
  });

  it('about a log that may store no more says so', async () => {
    const refused = Object.assign(new Error('x'), { name: 'JetStreamApiError', code: 10_023, status: 503 });
    const lost = Object.assign(new Error('x', { cause: refused }), { name: 'EventLogUnavailableError' });
    await serveEcho(() => Promise.reject(lost));
    const told = await send('x').catch((error: unknown) => error);
    expect(told).toMatchObject({ status: 503, code: 'UNAVAILABLE', message: natsFullMessage });
    expect([told, lost, new Error('x')].map(isNatsFull)).toEqual([true, true, false]);
  });

  it('carries the headers of the NATS services convention', async () => {
    await serveEcho(() => Promise.reject(new WireError({ status: 409, code: 'CONFLICT', message: 'Taken\r\nX: y' })));
    const { headers } = await calling.request(echo.subject, JSON.stringify({ text: 'x' }));
    expect(headers?.get('Nats-Service-Error-Code')).toBe('409');
    expect(headers?.get('Nats-Service-Error')).toBe('Taken X: y');
    expect(headers?.has('X')).toBe(false);
  });
});

describe('without an answer', () => {
  it('a request to a service that does not run is 503 at once and names it', async () => {
    const error = await send('x').catch((caught: WireError) => caught);
    expect(error).toMatchObject({ status: 503, code: 'UNAVAILABLE', message: expect.stringContaining('echo') });
  });

  it('a request is 504 past its deadline, and its handler is aborted', async () => {
    const aborted = Promise.withResolvers<void>();
    await serveEcho(async ({ signal }) => {
      signal.addEventListener('abort', () => aborted.resolve());
      await aborted.promise;
      throw new Error('given up');
    });
    await expect(send('x', { timeoutMs: 50 })).rejects.toMatchObject({ status: 504, code: 'TIMEOUT' });
    await aborted.promise;
    expect(logLines).toEqual([]);
  });

  it('a caller that goes away aborts the handler long before the deadline', async () => {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    await serveEcho(async ({ signal }) => {
      signal.addEventListener('abort', () => aborted.resolve());
      started.resolve();
      await aborted.promise;
      throw new Error('given up');
    });
    const caller = new AbortController();
    const gone = send('x', { signal: caller.signal });
    await started.promise;
    caller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    await aborted.promise;
  });
});

describe('discovery', () => {
  it('answers PING, INFO and STATS to all, by name and by id', async () => {
    await serveEcho();
    await send('x');
    for (const [verb, extra] of [
      ['PING', {}],
      ['INFO', { endpoints: [{ name: 'repeat', subject: 'mneme.echo.repeat', queue_group: 'echo', metadata: {} }] }],
      ['STATS', { endpoints: [{ name: 'repeat', num_requests: 1, num_errors: 0, last_error: '' }] }],
    ] as const) {
      for (const subject of [`$SRV.${verb}`, `$SRV.${verb}.echo`, `$SRV.${verb}.echo.${service.id}`]) {
        const type = `io.nats.micro.v1.${verb.toLowerCase()}_response`;
        const expected = { type, name: 'echo', id: service.id, version: '1.2.3', metadata: {}, ...extra };
        expect((await calling.request(subject)).json()).toMatchObject(expected);
      }
    }
  });

  it('counts errors and remembers the last one', async () => {
    await serveEcho(() => Promise.reject(new WireError({ status: 404, code: 'NOT_FOUND', message: 'No' })));
    await send('x').catch(() => undefined);
    const stats = (await calling.request('$SRV.STATS.echo')).json<{ endpoints: object[] }>();
    expect(stats.endpoints).toMatchObject([{ num_requests: 1, num_errors: 1, last_error: '404:No' }]);
  });

  it('finds no service before it is announced, and a found service answers requests', async () => {
    await serving.flush();
    expect(await pingService(calling, 'echo')).toBe(false);
    await serveEcho();
    expect(await pingService(calling, 'echo')).toBe(true);
    expect(await send('x')).toEqual({ text: 'x' });
  });
});

/** A request that runs until it is released; others are answered at once. */
async function startSlowRequest() {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await serveEcho(async (_context, text) => {
    if (text !== 'slow') return text;
    started.resolve();
    await release.promise;
    return 'done';
  });
  const running = send('slow');
  await started.promise;
  return { running, release };
}

describe('stopping', () => {
  it('lets a running request complete and takes no further one', async () => {
    const { running, release } = await startSlowRequest();
    const stopped = service.stop();
    await vi.waitFor(() => expect(send('y')).rejects.toMatchObject({ status: 503 }), 5_000);
    release.resolve();
    expect(await running).toEqual({ text: 'done' });
    await stopped;
  });
});

describe('leaving requests to others', () => {
  it('takes none and is not found until it joins again; what runs meanwhile is completed', async () => {
    const { running, release } = await startSlowRequest();
    await service.leave();
    await expect(send('y')).rejects.toMatchObject({ status: 503 });
    expect(await pingService(calling, 'echo')).toBe(false);
    release.resolve();
    expect(await running).toEqual({ text: 'done' });
    service.rejoin();
    await serving.flush();
    expect(await send('y')).toEqual({ text: 'y' });
    expect(await pingService(calling, 'echo')).toBe(true);
  });

  it('does not wait for a server that has gone silent, and takes each request once when it joins again', async () => {
    const answered: string[] = [];
    await serveEcho(async (_context, text) => {
      answered.push(text);
      return text;
    });
    const pid = stack.servers.nats.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      const begin = performance.now();
      await service.leave();
      expect(performance.now() - begin).toBeLessThan(5_000);
      service.rejoin();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await serving.flush();
    expect(await send('y')).toEqual({ text: 'y' });
    expect(answered).toEqual(['y']);
    expect(await findInstances(calling, 'echo')).toMatchObject([{ id: service.id, requests: 1, errors: 0 }]);
  });

  it('tells an instance that is not there from one that does not answer', async () => {
    expect(await lookForService(calling, 'echo')).toBe('none');
    const silentOne = calling.subscribe('$SRV.PING.echo');
    expect(await lookForService(calling, 'echo', 200)).toBe('silent');
    silentOne.unsubscribe();
    await serveEcho();
    expect(await lookForService(calling, 'echo')).toBe('answers');
  });

  it('finds another instance that can answer, not itself, and none that says that it cannot', async () => {
    await serveEcho();
    const isAnswered = () => isAnsweredByOther(serving, { name: 'echo', id: service.id });
    expect(await isAnswered()).toBe(false);
    let isAble = false;
    const other = startService({ connection: calling, name: 'echo', logger: silent, isAble: () => isAble });
    other.announce();
    await calling.flush();
    expect(await isAnswered()).toBe(false);
    isAble = true;
    expect(await isAnswered()).toBe(true);
    await other.stop();
    expect(await isAnswered()).toBe(false);
  });
});

describe('a server that is killed', () => {
  it('fails the requests under way with 503 at once, and later ones succeed when it is back', async () => {
    const release = Promise.withResolvers<void>();
    await serveEcho(async (_context, text) => {
      if (text === 'slow') await release.promise;
      return text;
    });
    const underWay = send('slow', { timeoutMs: 60_000 });
    const failed = expect(underWay).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    await calling.flush();
    await stack.servers.nats.kill('SIGKILL');
    await failed;
    await expect(send('x')).rejects.toMatchObject({ status: 503 });
    await stack.servers.nats.start();
    await vi.waitFor(async () => expect(await send('x')).toEqual({ text: 'x' }), { timeout: 15_000, interval: 100 });
    release.resolve();
  });
});

describe('a request that may take long', () => {
  const patient = { ...options, timeoutMs: 120_000 };
  let impatient: Client;
  beforeEach(() => {
    impatient = createClient({ connection: calling, silenceMs: 200 });
  });
  afterEach(() => impatient.close());

  it('is waited for while it is worked on', async () => {
    await serveEcho(async (_context, text) => {
      await pause(1_000);
      return text;
    });
    expect(await impatient.request(echo, { text: 'slow', times: 1 }, patient)).toEqual({ text: 'slow' });
  });

  it('fails with 503 when the instance that works on it is gone', async () => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    await serveEcho(() => {
      begun.resolve();
      return ended.promise;
    });
    const answer = impatient.request(echo, { text: 'lost', times: 1 }, patient);
    await begun.promise;
    await serving.close();
    await expect(answer).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    const error = await answer.catch((reason: unknown) => reason);
    expect(isOutOfReach(error)).toBe(true);
    expect(wasNotReceived(error)).toBe(false);
    ended.resolve('');
  });

  it('fails with 503 when no instance begins to work on it, if it is said that one would', async () => {
    // As by an instance that is killed at once, or of a release without heartbeats.
    serving.subscribe(echo.subject, {
      callback: (_error, message) => {
        if (message.string().includes('slow')) setTimeout(() => message.respond('{"text":"slow"}'), 1_000);
      },
    });
    await serving.flush();
    const lost = impatient.request(echo, { text: 'lost', times: 1 }, { ...patient, isBegunAtOnce: true });
    const slow = impatient.request(echo, { text: 'slow', times: 1 }, patient);
    await expect(lost).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    expect(await slow).toEqual({ text: 'slow' });
  });
});
