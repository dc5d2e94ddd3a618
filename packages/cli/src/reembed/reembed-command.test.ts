import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { streamExists } from '@mneme/event-store';
import { startTestStack } from '@mneme/local-stack/testing';
import { closeNats, connectNats, createLogger } from '@mneme/service-kit';
import { expect, it, onTestFinished } from 'vitest';
import { main } from '../testing/main.ts';

it('makes no log where there is none', { timeout: 30_000 }, async () => {
  const stack = await startTestStack({ servers: ['nats'] });
  onTestFinished(() => stack.stop());
  const env = { ...process.env, NATS_URL: stack.natsUrl };
  const command = spawn(process.execPath, [main, 'reembed', '--model', 'builtin:words'], { env });
  const [output, [code]] = await Promise.all([text(command.stderr), once(command, 'exit')]);
  expect([code, output]).toEqual([1, expect.stringContaining('Start Mneme first.')]);
  const logger = createLogger({ service: 'test', level: 'silent' });
  const connection = await connectNats({ url: stack.natsUrl, name: 'test', logger });
  onTestFinished(() => closeNats(connection));
  expect(await streamExists(connection, 'MEMORY')).toBe(false);
});
