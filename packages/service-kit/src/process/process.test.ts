import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { commaList, loadConfig, logLevel, natsUrl, wholeNumber } from './config.ts';
import { createMetrics } from './create-metrics.ts';
import { runChecks, serveHealth } from './health.ts';
import { createLogger } from './logger.ts';
import { createShutdown } from './shutdown.ts';

describe('the configuration', () => {
  const schema = z.object({
    PORT: wholeNumber({ min: 0, max: 65_535, default: 8080 }),
    LIST: commaList(),
    NATS_URL: natsUrl,
    LOG_LEVEL: logLevel,
    SECRET: z.string().min(8).optional(),
  });

  it('has defaults, treats an empty variable as not set, ignores others, and is frozen', () => {
    const config = loadConfig(schema, { PORT: '', PATH: '/bin', LIST: ' a, ,b ' });
    expect(config).toEqual({ PORT: 8080, LIST: ['a', 'b'], NATS_URL: 'nats://127.0.0.1:4222', LOG_LEVEL: 'info' });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reports all faults together, without the values', () => {
    const load = () => loadConfig(schema, { PORT: '1e3', SECRET: 'hunter2', LOG_LEVEL: 'loud' });
    expect(load).toThrow(/PORT.*LOG_LEVEL.*SECRET/s);
    expect(load).not.toThrow(/hunter2/);
  });

  it.each(['0x10', ' 1 ', '-1', '65536', '1.5', '1e3'])('refuses %j as a port', (port) => {
    expect(() => loadConfig(schema, { PORT: port })).toThrow(/PORT/);
  });

  it('accepts several addresses of NATS', () => {
    const url = 'nats://a:4222, tls://b:4222,c';
    expect(loadConfig(schema, { NATS_URL: url }).NATS_URL).toBe(url);
  });
});

describe('the logger', () => {
  it('leaves out what a model server said, wherever it stands', () => {
    const lines: string[] = [];
    const logger = createLogger({ destination: { write: (line) => lines.push(line) } });
    const message = 'm: the server has failed (status 500). The server said: cannot read "SECRET \\ of Ana"';
    logger.warn({ err: new Error(message), reason: message, next: 'kept' }, message);
    expect(lines.join()).not.toContain('SECRET');
    const said = 'm: the server has failed (status 500).';
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: said, reason: said, next: 'kept', err: { message: said } });
  });

  it('writes JSON lines without credentials', () => {
    const lines: string[] = [];
    const logger = createLogger({ service: 'keys', destination: { write: (line) => lines.push(line) } });
    const headers = {
      authorization: 'Bearer abc',
      'x-api-key': 'sk-abc',
      cookie: 'abc',
      'set-cookie': 'abc',
      host: 'h',
    };
    logger.info({ headers, req: { headers }, ...headers }, 'hello');
    expect(lines.join('')).not.toContain('abc');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', service: 'keys', msg: 'hello', host: 'h' });
  });

  it('removes keys and tokens from messages, errors and fields, also in child loggers', () => {
    const lines: string[] = [];
    const logger = createLogger({ service: 'keys', destination: { write: (line) => lines.push(line) } });
    const key = `sk-${'0123456789abcdef'.repeat(2)}`;
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
    logger
      .child({ path: `/a/${key}` })
      .error({ err: new Error(`no ${key}`), url: `/?token=${token}` }, `${key}0 ${token}`);
    expect(lines.join('')).not.toMatch(/0123456789abcdef|eyJ|c2ln/);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ path: '/a/[redacted]', url: '/?token=[redacted]' });
  });
});

describe('the metrics', () => {
  it('give one instrument per name, so that services of one process can share them', async () => {
    const metrics = createMetrics();
    const options = { name: 'things_total', help: 'Things', labels: ['kind'] } as const;
    metrics.counter(options).inc({ kind: 'a' });
    metrics.counter(options).inc({ kind: 'a' });
    expect(await metrics.text()).toContain('things_total{kind="a"} 2');
  });

  it('contain how long the event loop kept work waiting since the last read', async () => {
    const metrics = createMetrics();
    const delay = async (quantile: string) => {
      const line = new RegExp(`^mneme_event_loop_delay_seconds\\{quantile="${quantile}"\\} (.+)$`, 'm');
      return Number(line.exec(await metrics.text())?.[1]);
    };
    const letTimersRun = () => setTimeout(60);
    // Other work of the machine may keep timers waiting as well, now and then.
    const laterDelay = (quantile: string) => letTimersRun().then(() => delay(quantile));
    await expect.poll(() => laterDelay('p50')).toBeLessThan(0.2);
    await letTimersRun();
    const end = performance.now() + 400;
    while (performance.now() < end);
    await letTimersRun();
    expect(await delay('max')).toBeGreaterThan(0.35);
    await expect.poll(() => laterDelay('max')).toBeLessThan(0.35);
    expect(await delay('p99')).not.toBeNaN();
  });

  it('are separate from those of another registry', async () => {
    createMetrics().counter({ name: 'elsewhere_total', help: 'x' }).inc();
    expect(await createMetrics().text()).not.toContain('elsewhere_total');
  });
});

describe('the shutdown', () => {
  it('closes in reverse order, once, and continues when something cannot be closed', async () => {
    const closed: string[] = [];
    const shutdown = createShutdown(createLogger({ service: 'test', level: 'silent' }));
    shutdown.add('nats', () => closed.push('nats'));
    shutdown.add('broken', () => Promise.reject(new Error('broken')));
    shutdown.add('server', () => closed.push('server'));
    await Promise.all([shutdown.close(), shutdown.close()]);
    expect(closed).toEqual(['server', 'nats']);
  });

  it('of a process that cannot go on says why, closes everything and exits with code 1, unless it was closing', async () => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    onTestFinished(() => exit.mockRestore());
    const lines: string[] = [];
    const shutdown = createShutdown(
      createLogger({ service: 'test', destination: { write: (line) => lines.push(line) } }),
    );
    const close = vi.fn();
    shutdown.add('server', close);
    await Promise.all([shutdown.fail('No way on'), shutdown.fail('Still none')]);
    expect([close.mock.calls.length, exit.mock.calls]).toEqual([1, [[1]]]);
    expect(lines.join('')).toMatch(/"level":"fatal".*"No way on"/);
    expect(lines.join('')).not.toContain('Still none');
  });
});

describe('the health server', () => {
  it('names what does not answer', async () => {
    const checks = { good: () => true, bad: () => false, broken: () => Promise.reject(new Error('x')) };
    const server = await serveHealth({ port: 0, host: '127.0.0.1', checks, metrics: createMetrics() });
    const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/metrics')).status).toBe(200);
    expect((await get('/other')).status).toBe(404);
    const ready = await get('/readyz');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({
      status: 'unavailable',
      checks: { good: 'ok', bad: 'unavailable', broken: 'unavailable' },
    });
    await server.close();
  });

  it('names a stream that is missing, which is no server that does not answer', async () => {
    const missing = Object.assign(new Error('The stream MEMORY is missing'), { name: 'StreamMissingError' });
    const { checks } = await runChecks({ 'event-log': () => Promise.reject(missing) });
    expect(checks).toEqual({ 'event-log': 'The stream MEMORY is missing' });
  });

  it('shows the reason that a check gives', async () => {
    const { isReady, checks } = await runChecks({ rows: () => 'The rows are being built', good: async () => true });
    expect(isReady).toBe(false);
    expect(checks).toEqual({ rows: 'The rows are being built', good: 'ok' });
  });

  it('limits the time of each check', async () => {
    const { isReady, checks } = await runChecks({ stuck: () => new Promise(() => {}), good: () => undefined }, 20);
    expect(isReady).toBe(false);
    expect(checks).toEqual({ stuck: 'unavailable', good: 'ok' });
  });
});
