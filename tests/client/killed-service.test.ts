import { Mneme } from '@mneme/client';
import { casesOf } from '@mneme/local-stack';
import { beforeAll, expect, test } from 'vitest';
import { memoryServices, type ServiceName } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';

const count = 200;
const killAt = count / 4;
/** How many are on their way at once. */
const width = 20;

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'each', services: memoryServices });
  return system.stop;
});

/** Those first that a command passes through. */
const killed = casesOf<ServiceName>(['gateway', 'memory-ingest', 'memory-query'], 2);

test.each(killed)('kill -9 of %s while memories are sent: each is there once', async (name) => {
  // A restart takes seconds, many on a machine that is busy.
  const mneme = new Mneme({ baseUrl: system.http.url, retries: 20 });
  const agent = mneme.agent(`killed-${name}`);
  const texts = Array.from({ length: count }, (_, index) => `Parcel number ${index} has arrived.`);
  const waiting = [...texts.entries()];
  let remembered = 0;
  let restarted: Promise<void> | undefined;
  const send = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await agent.remember(next[1], { idempotencyKey: `${name}-${next[0]}` });
      remembered += 1;
      if (remembered === killAt) restarted = killAndRestart(name);
    }
  };
  await Promise.all(Array.from({ length: width }, send));
  expect(remembered).toBe(count);
  await restarted;
  const found = (await agent.memories.list().all()).map(({ text }) => text);
  expect(found.toSorted()).toEqual(texts.toSorted());
  expect(await agent.stats()).toMatchObject({ total_nodes: count, pending_operations: 0, failed_operations: 0 });
});

async function killAndRestart(name: ServiceName): Promise<void> {
  const service = system.service(name);
  await service.kill();
  await service.start();
}
