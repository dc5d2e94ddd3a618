import { casesOf, scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import type { ServiceName } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { expectStoredOnce, submitBatches } from './many-batches.ts';

const count = scaled({ full: 500, short: 45 });
const killAt = count / 3;

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'each' });
  return system.stop;
});

/** Those first that batches pass through. */
const killed = casesOf<ServiceName>(['memory-query', 'memory-ingest', 'gateway', 'keys', 'webhook'], 3);

test.each(killed)('kill -9 of %s in the middle of many batches loses none and doubles none', async (name) => {
  const agentId = `killed-${name}`;
  let restarted: Promise<void> | undefined;
  const operations = await submitBatches(system.http, {
    agentId,
    count,
    onAccepted: (accepted) => {
      if (accepted === killAt) restarted = killAndRestart(name);
    },
  });
  expect(restarted).toBeDefined();
  await restarted;
  await expectStoredOnce(system, { agentId, count }, operations);
});

async function killAndRestart(name: ServiceName): Promise<void> {
  const service = system.service(name);
  await service.kill();
  await service.start();
}
