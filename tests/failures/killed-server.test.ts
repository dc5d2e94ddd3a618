import { scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../system/start-system.ts';
import { expectStoredOnce, submitBatches } from './many-batches.ts';

const count = scaled({ full: 500, short: 45 });
const killAt = count / 3;

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  return system.stop;
});

test.each(['nats', 'mongod', 'qdrant'] as const)(
  'kill -9 of %s in the middle of many batches loses none and doubles none',
  async (name) => {
    const agentId = `killed-${name}`;
    const server = system.stack.servers[name];
    let restarted: Promise<void> | undefined;
    const operations = await submitBatches(system.http, {
      agentId,
      count,
      onAccepted: (accepted) => {
        if (accepted === killAt) restarted = server.kill('SIGKILL').then(() => server.start());
      },
    });
    expect(restarted).toBeDefined();
    await restarted;
    await expectStoredOnce(system, { agentId, count }, operations);
  },
);
