import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Stack, startTestStack } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { logLevel, natsUrl, serviceSettings } from './process/config.ts';
import { runService } from './run-service.ts';

let stack: Stack;
const listeners = process.listeners('uncaughtException');
beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
});
afterAll(async () => {
  for (const added of process.listeners('uncaughtException'))
    if (!listeners.includes(added)) process.off('uncaughtException', added);
  await stack.stop();
});

type Start = Parameters<typeof runService>[0]['start'];
type Stop = Awaited<ReturnType<Start>>['stop'];

it.each<[what: string, start: (stop: Stop) => Start]>([
  [
    'whose connection to NATS is closed for good',
    (stop) =>
      async (_config, { connection }) => {
        setImmediate(() => void connection.close());
        return { stop };
      },
  ],
  ['that cannot go on', (stop) => async () => ({ stop, failed: Promise.resolve('Its store was replaced') })],
])('a service %s is stopped, and its process exits with code 1', async (_what, start) => {
  const { promise: code, resolve } = Promise.withResolvers<unknown>();
  const exit = vi.spyOn(process, 'exit').mockImplementation(resolve as never);
  onTestFinished(() => exit.mockRestore());
  const stop = vi.fn(async () => undefined);
  await runService({
    name: 'test',
    config: z.object({ NATS_URL: natsUrl, LOG_LEVEL: logLevel }),
    env: { NATS_URL: stack.natsUrl, LOG_LEVEL: 'silent' },
    start: start(stop),
  });
  expect([await code, stop.mock.calls.length]).toEqual([1, 1]);
});

it('a service whose HEALTH_PORT is in use is not started, and its process says so in one sentence', async () => {
  const other = createServer().listen(0, '0.0.0.0');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    for (const spy of [exit, printed]) spy.mockRestore();
    other.close();
  });
  const start = vi.fn(async () => ({ stop: async () => undefined }));
  await runService({
    name: 'test',
    config: z.object(serviceSettings),
    env: { NATS_URL: stack.natsUrl, LOG_LEVEL: 'silent', HEALTH_PORT: String(port) },
    start,
  });
  expect(printed.mock.calls).toEqual([[`HEALTH_PORT ${port} is in use: end what uses it, or set another port\n`]]);
  expect([exit.mock.calls, start.mock.calls]).toEqual([[[1]], []]);
});

it('a service that cannot start for an unexpected reason prints it without fields', async () => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    for (const spy of [exit, printed]) spy.mockRestore();
  });
  const message = 'E11000 duplicate key error dup key: { text: "SECRET" }';
  await runService({
    name: 'test',
    config: z.object(serviceSettings),
    env: { NATS_URL: stack.natsUrl, LOG_LEVEL: 'silent' },
    start: () => Promise.reject(Object.assign(new Error(message), { name: 'MongoServerError' })),
  });
  expect(printed.mock.calls[0]?.[0]).toMatch(/^MongoServerError: E11000 duplicate key error dup key: \.\.\.\n/);
  expect(exit.mock.calls[0]).toEqual([1]);
});
