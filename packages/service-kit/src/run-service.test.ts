import { type Stack, startTestStack } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { logLevel, natsUrl } from './process/config.ts';
import { runService } from './run-service.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
});
afterAll(() => stack.stop());

it('a service whose connection to NATS is closed for good is stopped, and its process exits with code 1', async () => {
  const { promise: code, resolve } = Promise.withResolvers<unknown>();
  const exit = vi.spyOn(process, 'exit').mockImplementation(resolve as never);
  onTestFinished(() => exit.mockRestore());
  const stop = vi.fn(async () => undefined);
  await runService({
    name: 'test',
    config: z.object({ NATS_URL: natsUrl, LOG_LEVEL: logLevel }),
    env: { NATS_URL: stack.natsUrl, LOG_LEVEL: 'silent' },
    start: async (_config, { connection }) => {
      setImmediate(() => void connection.close());
      return { stop };
    },
  });
  expect([await code, stop.mock.calls.length]).toEqual([1, 1]);
});
