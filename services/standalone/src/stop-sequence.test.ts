import { createLogger } from '@mneme/service-kit';
import { expect, it } from 'vitest';
import { createStopSequence } from './stop-sequence.ts';

const warnings: string[] = [];
const logger = createLogger({ service: 'test', destination: { write: (line) => warnings.push(JSON.parse(line).msg) } });
const timeouts = { gateway: 50, services: 50, connections: 50 };

it('ends the gateway before the services that it asks', async () => {
  const ended: string[] = [];
  const end = createStopSequence(logger, timeouts);
  end.addService('keys', { stop: async () => void ended.push('keys') });
  end.addGateway({
    stop: async () => {
      await Promise.resolve();
      ended.push('gateway');
    },
  });
  await end.close();
  expect(ended).toEqual(['gateway', 'keys']);
});

it('cuts off a service that does not end, and goes on when one fails', async () => {
  const ended: string[] = [];
  const end = createStopSequence(logger, timeouts);
  end.addGateway({ stop: () => new Promise(() => {}) });
  end.addService('broken', { stop: () => Promise.reject(new Error('broken')) });
  end.addService('stuck', { stop: () => new Promise(() => {}) });
  end.addService('keys', { stop: async () => void ended.push('keys') });
  await end.close();
  expect(ended).toEqual(['keys']);
  expect(warnings).toEqual([
    'gateway did not stop within 50 ms; stopping without it',
    'Could not close broken',
    'stuck did not stop within 50 ms; stopping without it',
  ]);
});
